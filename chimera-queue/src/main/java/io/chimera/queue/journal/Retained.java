package io.chimera.queue.journal;

import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.wire.BatchFeed;
import java.util.List;
import java.util.SortedMap;

/** Records retained in a journal beyond their commit, and the notes of their cycles, for replays of past cycles. */
public interface Retained {
    /**
     * Opens a feed that also reads retained records below the base of the stream; otherwise like {@link Journal#feed}.
     * Any thread.
     */
    BatchFeed feed(StreamRange range);

    /**
     * Whether all records of a range are readable, including records kept only for replay. Any thread.
     */
    boolean canRead(StreamRange range);

    /**
     * Suspends deletion by age and size while a replay needs the records. Deletion for lack of room continues. The
     * journaler's thread.
     */
    void hold(boolean isHeld);

    /** Notes the contents of a cycle. The journaler's thread. */
    void note(PastCycle cycle);

    /** The noted cycles that are readable or not committed yet, by number. Any thread. */
    SortedMap<Long, PastCycle> cycles();

    /** Number ranges of {@link #cycles}. Any thread. */
    List<CycleSpan> spans();

    /** Bytes on disk of the retained files. Any thread. */
    long bytes();
}
