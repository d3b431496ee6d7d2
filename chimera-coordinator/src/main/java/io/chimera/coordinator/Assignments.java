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
     * @param digest of its pipelines
     * @param before cut of the cycle before
     * @param queues the queue nodes of the cycle's list, in its order
     * @return nothing when no journal reaches far enough down
     */
    static Optional<Assignment> first(
            Cycle cycle, String digest, SortedMap<Long, Long> before, List<QueueMember> queues) {
        List<Long> owners = new ArrayList<>();
        RoundRobin able = new RoundRobin(sessionsCovering(queues, cycle, before), cycle.number());
        if (able.isEmpty()) {
            return Optional.empty();
        }
        for (QueueMember queue : queues) {
            owners.add(Cuts.covers(queue, cycle, before) ? queue.session() : able.next());
        }
        return Optional.of(new Assignment(0, digest, owners, cycle.processors()));
    }

    /** Why a session loses a part or a shard. */
    interface Reasons {
        /** Whether the session does not live any more. */
        boolean isGone(long session);

        /** Whether a live owner loses a part, if somebody else holds the whole cycle. */
        boolean losesPart(int part, long owner);

        /** Whether a live processor loses a shard that is not committed, if there is somebody else. */
        boolean losesShard(int shard, long processor);

        /** Whether a processor has had a shard before and lost it. */
        boolean hadShard(int shard, long processor);
    }

    /**
     * The assignment that follows when sessions lose work: their parts and their shards that are not committed yet go to
     * others in turn. What nobody can take stays where it is. A shard goes back to one that has had it only when all have.
     *
     * @param open a cycle with shards that are not committed
     * @param before cut of the cycle before
     * @param reasons who loses what
     * @param digest of its pipelines from now on
     * @param queues those that may take parts
     * @param processors those that may take shards
     * @return nothing when it would be the same as now
     */
    static Optional<Assignment> next(
            OpenCycle open,
            SortedMap<Long, Long> before,
            Reasons reasons,
            String digest,
            List<QueueMember> queues,
            List<ProcessorMember> processors) {
        Cycle cycle = open.cycle();
        // Rotated by the cycle, lest one node take the first part of each.
        RoundRobin reaching = new RoundRobin(sessionsCovering(queues, cycle, before), cycle.number());
        RoundRobin holding = new RoundRobin(
                queues.stream()
                        .filter(queue -> Cuts.holds(queue, cycle, before))
                        .map(QueueMember::session)
                        .toList(),
                cycle.number());
        RoundRobin takers =
                new RoundRobin(processors.stream().map(ProcessorMember::session).toList(), cycle.number());
        List<Long> parts = new ArrayList<>();
        for (int part = 0; part < cycle.parts(); part++) {
            long owner = open.assignment().owners().get(part);
            if (reasons.isGone(owner)) {
                parts.add(reaching.isEmpty() ? owner : reaching.next());
            } else {
                parts.add(reasons.losesPart(part, owner) ? holding.nextBut(owner) : owner);
            }
        }
        List<Long> shards = new ArrayList<>();
        for (int number = 0; number < cycle.shards(); number++) {
            int shard = number;
            long taker = open.assignment().processors().get(shard);
            boolean isLost = !open.isCommitted(shard) && (reasons.isGone(taker) || reasons.losesShard(shard, taker));
            shards.add(isLost ? takers.nextBut(taker, session -> !reasons.hadShard(shard, session)) : taker);
        }
        Assignment next = new Assignment(open.assignment().version() + 1, digest, parts, shards);
        boolean same = digest.equals(open.assignment().digest())
                && parts.equals(open.assignment().owners())
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

        /** The next that is another one; the same where there is no other. */
        long nextBut(long session) {
            return nextBut(session, any -> true);
        }

        /** The next that is another one, a preferred one if possible; the same where there is no other. */
        long nextBut(long session, LongPredicate preferred) {
            long other = session;
            for (int i = 0; i < sessions.size(); i++) {
                long next = next();
                if (next != session && preferred.test(next)) {
                    return next;
                }
                other = other == session ? next : other;
            }
            return other;
        }
    }
}
