package io.chimera.common.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/** Arbitrary frames of past cycles: a request is read or refused, and accepted parts are within the cycle. */
final class PastFrameFuzz {
    private static final int PARTS_MAX = 4096;

    @FuzzTest(maxDuration = "1m")
    void readsAnyFrame(byte[] bytes) {
        PastFrame.Request request = PastFrame.decode(new UnsafeBuffer(bytes), 0, bytes.length);
        assertThat(request == null || request.partitions().length() <= PastFrame.PARTITIONS_MAX)
                .isTrue();

        UnsafeBuffer end = new UnsafeBuffer(Arrays.copyOf(bytes, PastFrame.END_LENGTH));
        if (PastFrame.hasSoundParts(end, PARTS_MAX)) {
            int first = PastFrame.firstPart(end);
            int count = PastFrame.partCount(end);
            assertThat(count).isPositive();
            assertThat(first + count).isBetween(1, PARTS_MAX);
            assertThat(PartFrame.part(end, 0)).isBetween(first, first + count - 1);
        }
    }
}
