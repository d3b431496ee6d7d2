package io.chimera.queue.journal;

import io.chimera.common.cluster.ControlCopy;
import io.chimera.common.wire.BatchFeed;
import java.util.SortedMap;
import org.agrona.DirectBuffer;

/**
 * A queue node's log of batches, many streams in one. Of each stream it holds a range (base, position] without gaps. The
 * journaler's thread appends; any thread reads positions and opens feeds.
 */
public interface Journal extends AutoCloseable {
    /** What became of an append. */
    enum Appended {
        /** The batch stands in the journal; durable as soon as {@link #durable} says so. */
        OK,
        /** The journal holds these records already; nothing was written. */
        DUPLICATE,
        /** Records before this batch are missing; nothing was written. */
        GAP,
        /** The journal is at its limit or the disk refuses; nothing was written. Try again later. */
        FULL
    }

    /**
     * Appends a sealed batch as it is.
     *
     * @param buffer holds the batch
     * @param offset index of its first byte
     * @param length its length
     * @return what became of it
     */
    Appended append(DirectBuffer buffer, int offset, int length);

    /**
     * Makes what was appended as durable as the sync policy wants, when it is time to. Called by the journaler whenever
     * it has appended all there was.
     *
     * @return whether something became durable by that
     */
    boolean sync();

    /** Sequence number up to which a stream is appended; 0 when nothing is. */
    long position(long stream);

    /** Sequence number up to which a stream is durable by the sync policy; 0 when nothing is. */
    long durable(long stream);

    /** {@link #durable} of every stream that the journal holds or held. */
    SortedMap<Long, Long> durables();

    /** Per stream the sequence number above which the journal still holds everything. */
    SortedMap<Long, Long> bases();

    /**
     * Opens a feed of one stream.
     *
     * @param stream the stream
     * @param after the first batch contains the record after + 1; it may begin before it
     * @param upTo the feed ends with the batch that contains this record; {@link Long#MAX_VALUE} follows the journal
     * @return the feed; gives {@link BatchFeed.Step#GAP} when what is asked for lies below the base
     */
    BatchFeed feed(long stream, long after, long upTo);

    /**
     * Counts on nothing at or below the cut any more: first the mark is written and synced, then files go, as far as whole
     * files allow and retention does not want them. That may go on beside the caller; the bases tell, and it is to be
     * called again until they are raised. Sets the base of streams that begin above it. Called again with the same
     * cut it lets go of what need not be retained any longer.
     *
     * @param cut sequence number per stream
     */
    void truncate(SortedMap<Long, Long> cut);

    /** The copy of the cluster's control state that lies with it. */
    ControlCopy control();

    /** What it keeps beyond the commit. */
    Retained retained();

    /** Bytes on disk. */
    long bytes();

    @Override
    void close();
}
