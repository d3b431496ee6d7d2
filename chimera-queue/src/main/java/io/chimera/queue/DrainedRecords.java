package io.chimera.queue;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.ring.BatchRing;
import io.chimera.queue.journal.Journal;
import java.util.Set;
import java.util.TreeSet;

/**
 * Records of a queue node that leaves, on their way into its journal.
 *
 * @param ring ring before the journal
 * @param journal journal of the node
 * @param stopFollowing ends the copying of records of peers for good; called on the announcer's thread
 */
record DrainedRecords(BatchRing ring, Journal journal, Runnable stopFollowing) {
    /** Returns whether all records of a stream are durable. */
    private boolean isDurable(long stream) {
        return journal.durable(stream) == journal.position(stream);
    }

    /** Returns whether the ring is empty, and all records of all streams that this node may have copied are durable. */
    boolean areDurable(ClusterView view) {
        Set<Long> streams = new TreeSet<>(journal.durables().streams());
        streams.addAll(view.lastCut().streams());
        for (QueueMember member : view.queues()) {
            streams.add(member.stream());
            streams.addAll(member.positions().streams());
        }
        return ring.used() == 0 && streams.stream().allMatch(this::isDurable);
    }

    /** Returns the last durable records of all streams. */
    Positions last() {
        return journal.durables();
    }
}
