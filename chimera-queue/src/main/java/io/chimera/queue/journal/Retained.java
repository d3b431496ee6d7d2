package io.chimera.queue.journal;

import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.wire.BatchFeed;
import java.util.List;
import java.util.SortedMap;

/** What a journal keeps beyond the commit, and what it knows of it, so that past cycles can be replayed. */
public interface Retained {
    /** Opens a feed that also reads below the base of the stream; otherwise like {@link Journal#feed}. Any thread. */
    BatchFeed feed(long stream, long after, long upTo);

    /** Whether all records of a stream in (after, upTo] can be read, be they above the base or retained only. Any thread. */
    boolean canRead(long stream, long after, long upTo);

    /**
     * While held, nothing is let go of for its age or size, because a replay is to read it. Room for new records still wins.
     * The journaler's thread.
     */
    void hold(boolean isHeld);

    /** Notes what a cycle contains. The journaler's thread. */
    void note(PastCycle cycle);

    /** The noted cycles that can be read, and those that are not committed yet, by number. Any thread. */
    SortedMap<Long, PastCycle> cycles();

    /** The numbers of these. Any thread. */
    List<CycleSpan> spans();

    /** Bytes on disk that would go if nothing were retained. Any thread. */
    long bytes();
}
