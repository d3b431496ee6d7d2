package io.chimera.dataset.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.ObjectVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** A split with more pieces than memory for their index. */
final class BoundedPiecesTest {
    @Test
    void onePieceTooManyEndsTheJobWithARemedy() throws IOException {
        DataObject object = new DataObject("a.gz", 100, new ObjectVersion("1", Checksum.NONE));
        List<Long> starts = new ArrayList<>();
        BoundedPieces bounded = new BoundedPieces(
                (pipeline, startNs, body, length) -> starts.add(startNs),
                new Split(0, object, new ByteRange(0, 100)),
                160);
        UnsafeBuffer body = new UnsafeBuffer(new byte[1]);
        bounded.piece(0, 60, body, 1);
        bounded.piece(0, 120, body, 1);

        assertThatThrownBy(() -> bounded.piece(0, 180, body, 1))
                .isInstanceOf(JobException.class)
                .hasMessageContainingAll("a.gz", "2 pieces", "longer window", "more memory");
        assertThat(starts).containsExactly(60L, 120L);
    }
}
