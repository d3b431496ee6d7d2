package io.chimera.queue.journal;

import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.cluster.control.ControlCopy;
import io.chimera.common.wire.BatchFeed;
import org.agrona.DirectBuffer;

/**
 * Log of batches of a queue node, with many streams in one log. The journal holds a range (base, position] of each
 * stream, without gaps. Only the journaler's thread appends; any thread reads positions and opens feeds.
 */
public interface Journal extends AutoCloseable {
    /** Result of an append. */
    enum Appended {
        /** The batch is in the journal; {@link #durable} reports when the batch is durable. */
        OK,
        /** The journal already holds these records; nothing was written. */
        DUPLICATE,
        /** Records before this batch are missing; nothing was written. */
        GAP,
        /** The journal has reached its limit or the disk refuses; nothing was written. Retry later. */
        FULL
    }

    /**
     * Appends a sealed batch unchanged.
     *
     * @param buffer buffer with the batch
     * @param offset index of the first byte of the batch
     * @param length length of the batch
     * @return result of the append
     */
    Appended append(DirectBuffer buffer, int offset, int length);

    /**
     * Makes appended batches durable when the sync policy requires a sync now. The journaler calls {@code sync} after
     * every round of appends.
     *
     * @return whether the call made any batch durable
     */
    boolean sync();

    /** Sequence number of the last appended record of a stream; 0 for an empty stream. */
    long position(long stream);

    /** Sequence number of the last record of a stream that is durable by the sync policy; 0 for none. */
    long durable(long stream);

    /** {@link #durable} of every stream, present or past, in the journal. */
    Positions durables();

    /** Base of every stream: the journal holds all records after the base. */
    Positions bases();

    /**
     * Opens a feed of one stream.
     *
     * @param range records of the feed. The first batch contains the first record, and may begin before that record.
     *     The feed ends with the batch that contains the last record, and follows the journal without an upper bound.
     * @return the feed; gives {@link BatchFeed.Step#GAP} when the next record lies at or below the base
     */
    BatchFeed feed(StreamRange range);

    /**
     * Declares all records at or below the cut as no longer needed. Writes and syncs the low-water mark first, then
     * deletes whole files that retention does not keep. Mark and files may be written and deleted on another thread
     * after the return: the caller repeats the call until {@link #bases} reach the cut. Sets the base of streams that
     * begin after the cut. A repeated call with the same cut deletes files whose retention has expired since.
     *
     * @param cut sequence number per stream
     */
    void truncate(Positions cut);

    /** The copy of the cluster's control state in the folder of the journal. */
    ControlCopy control();

    /** The identity of the journal. */
    JournalIdentity identity();

    /** The records retained after their commit. */
    Retained retained();

    /** Bytes on disk. */
    long bytes();

    @Override
    void close();
}
