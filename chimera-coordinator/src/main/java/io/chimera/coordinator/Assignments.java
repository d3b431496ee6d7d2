package io.chimera.coordinator;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.LongPredicate;

/** Who works on a cycle, at its begin and when somebody is gone. Pure. */
final class Assignments {
    private Assignments() {}

    /**
     * The first assignment of a cycle: each part to the queue node of its place in the list where that one's journal
     * reaches far enough down, else to another one whose journal does.
     *
     * @param cycle the cycle
     * @param before cut of the cycle before
     * @param queues the queue nodes of the cycle's list, in its order
     * @return nothing when no journal reaches far enough down
     */
    static Optional<Assignment> first(Cycle cycle, SortedMap<Long, Long> before, List<QueueMember> queues) {
        List<Long> owners = new ArrayList<>();
        RoundRobin able = new RoundRobin(sessionsCovering(queues, cycle, before), cycle.number());
        if (able.isEmpty()) {
            return Optional.empty();
        }
        for (QueueMember queue : queues) {
            owners.add(Cuts.covers(queue, cycle, before) ? queue.session() : able.next());
        }
        return Optional.of(new Assignment(0, owners, cycle.processors()));
    }

    /**
     * The assignment that follows when sessions are gone: their parts and their shards that are not committed yet go
     * to the live nodes in turn. What nobody can take stays where it is.
     *
     * @param open a cycle with shards that are not committed
     * @param before cut of the cycle before
     * @param gone tells whether a session is gone
     * @param queues those that may take parts
     * @param processors those that may take shards
     * @return nothing when it would be the same as now
     */
    static Optional<Assignment> next(
            OpenCycle open,
            SortedMap<Long, Long> before,
            LongPredicate gone,
            List<QueueMember> queues,
            List<ProcessorMember> processors) {
        Cycle cycle = open.cycle();
        // Rotated by the cycle, lest one node take the first part of each.
        RoundRobin owners = new RoundRobin(sessionsCovering(queues, cycle, before), cycle.number());
        RoundRobin takers =
                new RoundRobin(processors.stream().map(ProcessorMember::session).toList(), cycle.number());
        List<Long> parts = new ArrayList<>();
        for (long owner : open.assignment().owners()) {
            parts.add(gone.test(owner) && !owners.isEmpty() ? owners.next() : owner);
        }
        List<Long> shards = new ArrayList<>();
        for (int shard = 0; shard < cycle.shards(); shard++) {
            long taker = open.assignment().processors().get(shard);
            shards.add(!open.isCommitted(shard) && gone.test(taker) && !takers.isEmpty() ? takers.next() : taker);
        }
        Assignment next = new Assignment(open.assignment().version() + 1, parts, shards);
        boolean same = parts.equals(open.assignment().owners())
                && shards.equals(open.assignment().processors());
        return same ? Optional.empty() : Optional.of(next);
    }

    /** Number of places at which two lists of equal length differ. */
    static int differences(List<Long> before, List<Long> after) {
        int differences = 0;
        for (int i = 0; i < before.size(); i++) {
            differences += before.get(i).equals(after.get(i)) ? 0 : 1;
        }
        return differences;
    }

    private static List<Long> sessionsCovering(List<QueueMember> queues, Cycle cycle, SortedMap<Long, Long> before) {
        return queues.stream()
                .filter(queue -> Cuts.covers(queue, cycle, before))
                .map(QueueMember::session)
                .toList();
    }

    private static final class RoundRobin {
        private final List<Long> sessions;
        private long turn;

        RoundRobin(List<Long> sessions, long turn) {
            this.sessions = sessions;
            this.turn = turn;
        }

        boolean isEmpty() {
            return sessions.isEmpty();
        }

        long next() {
            return sessions.get(Math.floorMod(turn++, sessions.size()));
        }
    }
}
