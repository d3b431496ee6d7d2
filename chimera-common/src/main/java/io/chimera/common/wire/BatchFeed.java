package io.chimera.common.wire;

import org.agrona.DirectBuffer;

/**
 * Batches in the order in which a reader wants them. One thread.
 */
public interface BatchFeed extends AutoCloseable {
    /** What {@link #next()} found. */
    enum Step {
        /** A batch lies ready. */
        BATCH,
        /** Nothing now; there may be more later. */
        WAIT,
        /** The feed has given everything it was opened for. */
        END,
        /** What comes next is not here (any more): the reader must look elsewhere. */
        GAP
    }

    /** Steps to the next batch. */
    Step next();

    /** Holds the batch, whole and checked, until the next step. */
    DirectBuffer buffer();

    /** Index of the batch's first byte; see {@link BatchLayout}. */
    int offset();

    /** Lets go of what the feed holds. */
    @Override
    void close();
}
