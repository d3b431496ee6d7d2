package io.chimera.common.wire;

import org.agrona.DirectBuffer;

/** Reads batches of a stream in the order of the reader's request. Single-threaded. */
public interface BatchFeed extends AutoCloseable {
    /** Result of {@link #next()}. */
    enum Step {
        /** A batch is available. */
        BATCH,
        /** No batch is available yet; more may arrive later. */
        WAIT,
        /** The feed has delivered the whole requested range. */
        END,
        /** The next batch is not stored here, or no longer; the reader must use another source. */
        GAP
    }

    /** Advances to the next batch. */
    Step next();

    /** Buffer with the complete, verified batch; valid until the next call of {@link #next()}. */
    DirectBuffer buffer();

    /** Index of the batch's first byte in the buffer; see {@link BatchLayout}. */
    int offset();

    /** Releases the feed's resources. */
    @Override
    void close();
}
