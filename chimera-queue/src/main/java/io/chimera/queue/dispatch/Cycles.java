package io.chimera.queue.dispatch;

import io.chimera.common.cluster.CutRange;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.wire.BatchFeed;
import java.util.SortedMap;

/** Source of the batches of a cycle. */
public interface Cycles {
    /** Whether the journal holds the complete cycle. */
    boolean covers(CutRange records);

    /** Known cycles by number, past and open, as far as the journal may hold their records. */
    SortedMap<Long, PastCycle> past();

    /** Opens the batches of a covered cycle, always in the same order. */
    BatchFeed open(CutRange records);
}
