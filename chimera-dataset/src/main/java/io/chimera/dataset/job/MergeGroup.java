package io.chimera.dataset.job;

import io.chimera.dataset.compute.Piece;

/**
 * Place in the order of a merge: a window and a pipeline.
 *
 * @param startNs start of the window, nanoseconds since 1970
 * @param pipeline ordinal of the pipeline
 */
record MergeGroup(long startNs, int pipeline) {
    /** Place before all pieces. */
    static final MergeGroup FIRST = new MergeGroup(Long.MIN_VALUE, 0);

    static MergeGroup of(Piece piece) {
        return new MergeGroup(piece.startNs(), piece.pipeline());
    }

    /** Returns whether a piece is in this group. */
    boolean has(Piece piece) {
        return piece.startNs() == startNs && piece.pipeline() == pipeline;
    }

    /** Returns whether a piece is in a group before this one. */
    boolean isAfter(Piece piece) {
        return piece.startNs() < startNs || (piece.startNs() == startNs && piece.pipeline() < pipeline);
    }

    /** Returns the place directly after this group. */
    MergeGroup next() {
        return new MergeGroup(startNs, pipeline + 1);
    }
}
