package io.chimera.queue.dispatch;

import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.wire.BatchFeed;
import java.util.SortedMap;

/** Source of the batches of a cycle. */
public interface Cycles {
    /** Whether the journal holds the complete cycle. */
    boolean covers(Positions before, Positions cut);

    /** Known cycles by number, past and open, as far as the journal may hold their records. */
    SortedMap<Long, PastCycle> past();

    /** Opens the batches of a covered cycle, always in the same order. */
    BatchFeed open(Positions before, Positions cut);
}
