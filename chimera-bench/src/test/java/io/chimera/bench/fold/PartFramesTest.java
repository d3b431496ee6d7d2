package io.chimera.bench.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.load.PointShape;
import io.chimera.common.wire.PartFrame;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class PartFramesTest {

    @Test
    void laterFramesHaveNoDefinitions() {
        PartFrames frames = PartFrames.of(PointShape.FOUR_FIELDS);

        int first = frames.first().stream().mapToInt(UnsafeBuffer::capacity).sum();
        int others = frames.others().stream().mapToInt(UnsafeBuffer::capacity).sum();

        assertThat(others).isLessThan(first / 2).isGreaterThan(PartFrame.HEADER_LENGTH);
    }
}
