package io.chimera.coordinator.plan;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleGroups;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Computes assignments of a cycle: the first assignment at the start, and the next assignment when a session loses
 * work. Pure.
 */
public final class Assignments {
    private Assignments() {}

    /**
     * Computes the first assignment of a cycle. The queue node at position i of the list owns part i if its journal
     * still holds the start of the cycle. Otherwise the part goes to another queue node of the same group with such a
     * journal, in turn.
     *
     * @param cycle the cycle
     * @param digest configuration digest of its pipelines
     * @param before cut of the previous cycle
     * @param queues queue nodes of the cycle, in the order of the cycle's list
     * @return the assignment; empty when no journal of a group holds the start of the cycle
     */
    public static Optional<Assignment> first(
            Cycle cycle, ConfigurationDigest digest, Positions before, List<QueueMember> queues) {
        List<Long> owners = new ArrayList<>();
        Map<JournalGroup, List<QueueMember>> groups =
                queues.stream().collect(Collectors.groupingBy(QueueMember::group));
        Map<JournalGroup, RoundRobin> able = new HashMap<>();
        for (QueueMember queue : queues) {
            RoundRobin others = able.computeIfAbsent(
                    queue.group(),
                    group -> new RoundRobin(
                            () -> sessionsCovering(groups.getOrDefault(group, List.of()), cycle, before),
                            cycle.number()));
            if (others.isEmpty()) {
                return Optional.empty();
            }
            owners.add(Cuts.covers(queue, cycle, before) ? queue.session() : others.next());
        }
        return queues.isEmpty() ? Optional.empty() : Optional.of(new Assignment(0, digest, owners, cycle.processors()));
    }

    /** Conditions under which a session loses a part or a shard. */
    interface Reasons {
        /** Returns whether the session has ended. */
        boolean isGone(long session);

        /** Returns whether a live owner loses a part, provided that another node of its group holds the whole cycle. */
        boolean losesPart(int part, long owner);

        /** Returns whether a live processor loses an uncommitted shard, provided that another processor can take it. */
        boolean losesShard(int shard, long processor);

        /** Returns whether a processor has already lost this shard. */
        boolean hadShard(int shard, long processor);
    }

    /**
     * Computes the next assignment after sessions lost work: their parts go to other sessions of the same group in
     * turn, and their uncommitted shards to other processors in turn. Work without a candidate stays where it is. A
     * shard returns to an earlier processor only when all candidates have lost the shard.
     *
     * @param open a cycle with uncommitted shards
     * @param before cut of the previous cycle
     * @param reasons conditions for losing work
     * @param digest configuration digest of its pipelines from now on
     * @param queues candidates for parts
     * @param processors candidates for shards
     * @return the assignment; empty when nothing changes
     */
    static Optional<Assignment> next(
            OpenCycle open,
            Positions before,
            Reasons reasons,
            ConfigurationDigest digest,
            List<QueueMember> queues,
            List<ProcessorMember> processors) {
        Cycle cycle = open.cycle();
        RoundRobin takers = new RoundRobin(
                () -> processors.stream().map(ProcessorMember::session).toList(), cycle.number());
        List<Long> parts = new ArrayList<>(open.assignment().owners());
        Map<JournalGroup, List<QueueMember>> groups =
                queues.stream().collect(Collectors.groupingBy(QueueMember::group));
        for (CycleGroups.Parts ofGroup : cycle.partsByGroup()) {
            reassign(open, before, reasons, ofGroup, groups.getOrDefault(ofGroup.group(), List.of()), parts);
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

    /**
     * Replaces the owners of lost parts of a group.
     *
     * @param queues candidates of the group
     * @param parts owner of each part of the cycle, updated
     */
    private static void reassign(
            OpenCycle open,
            Positions before,
            Reasons reasons,
            CycleGroups.Parts ofGroup,
            List<QueueMember> queues,
            List<Long> parts) {
        Cycle cycle = open.cycle();
        // Rotated by the cycle number, so that the first part of each cycle goes to a different node.
        RoundRobin reaching = new RoundRobin(() -> sessionsCovering(queues, cycle, before), cycle.number());
        RoundRobin holding = new RoundRobin(
                () -> queues.stream()
                        .filter(queue -> Cuts.holds(queue, cycle, before))
                        .map(QueueMember::session)
                        .toList(),
                cycle.number());
        for (int part = ofGroup.first(); part < ofGroup.first() + ofGroup.count(); part++) {
            long owner = parts.get(part);
            if (reasons.isGone(owner)) {
                parts.set(part, reaching.isEmpty() ? owner : reaching.next());
            } else if (reasons.losesPart(part, owner)) {
                parts.set(part, holding.nextBut(owner));
            }
        }
    }

    /** Returns the number of positions at which two lists of equal length differ. */
    public static int differences(List<Long> before, List<Long> after) {
        int differences = 0;
        for (int i = 0; i < before.size(); i++) {
            differences += before.get(i).equals(after.get(i)) ? 0 : 1;
        }
        return differences;
    }

    private static List<Long> sessionsCovering(List<QueueMember> queues, Cycle cycle, Positions before) {
        return queues.stream()
                .filter(queue -> Cuts.covers(queue, cycle, before))
                .map(QueueMember::session)
                .toList();
    }

    /** Sessions in turn; found when first needed, because mostly no work is lost. */
    private static final class RoundRobin {
        private final Supplier<List<Long>> finder;
        private Optional<List<Long>> found = Optional.empty();
        private long turn;

        RoundRobin(Supplier<List<Long>> finder, long turn) {
            this.finder = finder;
            this.turn = turn;
        }

        private List<Long> sessions() {
            List<Long> sessions = found.orElseGet(finder);
            found = Optional.of(sessions);
            return sessions;
        }

        boolean isEmpty() {
            return sessions().isEmpty();
        }

        long next() {
            List<Long> sessions = sessions();
            return sessions.get(Math.floorMod(turn++, sessions.size()));
        }

        /** Returns the next session other than the given one; the given one when there is no other. */
        long nextBut(long session) {
            return nextBut(session, any -> true);
        }

        /**
         * Returns the next session other than the given one, preferring sessions that pass the test; the given one when
         * there is no other.
         */
        long nextBut(long session, LongPredicate preferred) {
            long other = session;
            for (int i = 0; i < sessions().size(); i++) {
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
