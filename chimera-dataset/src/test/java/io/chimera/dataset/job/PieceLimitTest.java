package io.chimera.dataset.job;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** More pieces than memory for their places. */
final class PieceLimitTest {
    @Test
    void tooManyPiecesEndTheMergeWithARemedy() throws JobException {
        PieceLimit limit = new PieceLimit(64L << 20);
        limit.add((64 << 20) / PieceLimit.BYTES_PER_PIECE);

        assertThatThrownBy(() -> limit.add(1))
                .isInstanceOf(JobException.class)
                .hasMessageContainingAll("64MiB", "longer window", "more memory", "fewer objects");
    }
}
