package io.chimera.coordinator.plan;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.StreamGroups;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Arithmetic on cuts. Pure. */
public final class Cuts {
    private Cuts() {}

    /**
     * Returns the furthest possible cut of the next cycle: for each stream the position that enough journals of its
     * group hold durably.
     *
     * @param view of the cluster
     * @param copies number of journals of a group that must hold a record
     * @param finished streams that the cut may omit
     */
    public static Positions furthest(ClusterView view, ReplicationPolicy copies, Set<Long> finished) {
        Positions previous = view.lastCut();
        Map<Long, long[]> highest = highest(view, copies);
        Positions.Builder cut = Positions.builder();
        previous.forEach((stream, seq) -> highest.computeIfAbsent(stream, key -> new long[1]));
        highest.forEach((stream, positions) -> {
            long reached = Math.max(previous.at(stream), positions[positions.length - 1]);
            if (reached > 0 && !finished.contains(stream)) {
                cut.put(stream, reached);
            }
        });
        return cut.build();
    }

    /**
     * Returns the cut without new records of the groups that cannot send them: no queue node of the group may take
     * parts, or none of these still holds the start of the cycle. Such a group stands still alone; its records belong
     * to a later cycle.
     *
     * @param cut furthest cut
     * @param queues queue nodes that may take parts of the cycle
     */
    public static Positions sendable(ClusterView view, Positions cut, List<QueueMember> queues) {
        if (view.isDefaultGroup()) {
            return cut;
        }
        StreamGroups streams = view.streamGroups();
        Positions previous = view.lastCut();
        Set<JournalGroup> able = queues.stream()
                .filter(member -> isFrom(member.bases(), cut, previous))
                .map(QueueMember::group)
                .collect(Collectors.toSet());
        Positions.Builder sendable = Positions.builder();
        cut.forEach((stream, seq) -> {
            long reached = able.contains(streams.of(stream)) ? seq : previous.at(stream);
            if (reached > 0) {
                sendable.put(stream, reached);
            }
        });
        return sendable.build();
    }

    /** Returns whether the journal of a live queue node still has the first records after the last cut. */
    public static boolean hasStart(ClusterView view, Positions cut) {
        return view.queues().stream().anyMatch(member -> isFrom(member.bases(), cut, view.lastCut()));
    }

    /**
     * Returns the highest positions of each stream with records in a journal, descending; 0 for missing journals. A
     * journal may still know the position of a finished stream without any record: naming the stream again would count
     * records twice, so such a stream is only in the result if it is in the last cut.
     */
    private static Map<Long, long[]> highest(ClusterView view, ReplicationPolicy copies) {
        Map<Long, long[]> highest = new HashMap<>();
        Set<Long> held = new HashSet<>();
        Positions previous = view.lastCut();
        GroupSizes sizes = GroupSizes.of(view);
        for (QueueMember member : view.queues()) {
            int needed = copies.needed(sizes.nodes(member.group()), sizes.live(member.group()));
            member.positions().forEach((stream, position) -> {
                insert(highest.computeIfAbsent(stream, key -> new long[needed]), position);
                if (member.bases().at(stream) < position) {
                    held.add(stream);
                }
            });
        }
        highest.keySet().removeIf(stream -> !held.contains(stream) && !previous.names(stream));
        return highest;
    }

    private static void insert(long[] descending, long position) {
        long rest = position;
        for (int i = 0; i < descending.length; i++) {
            long other = descending[i];
            descending[i] = Math.max(other, rest);
            rest = Math.min(other, rest);
        }
    }

    /**
     * Returns the cut, reduced until the cycle has at most the given number of records. The reduction is proportional
     * over all streams, so that no stream falls behind the other streams.
     */
    public static Positions limited(Positions previous, Positions cut, long maxPoints) {
        long points = cut.recordsSince(previous);
        if (points <= maxPoints) {
            return cut;
        }
        double share = (double) maxPoints / points;
        Positions.Builder drawn = Positions.builder();
        cut.forEach((stream, upTo) -> {
            long from = previous.at(stream);
            long taken = upTo == from ? 0 : Math.max(1, (long) ((upTo - from) * share));
            if (from + taken > 0) {
                drawn.put(stream, from + taken);
            }
        });
        return drawn.build();
    }

    /**
     * Returns whether a node's journal still holds the start of every stream of its group in the cycle; for a replay
     * cycle, whether the journal still holds the past cycle.
     *
     * @param before cut of the previous cycle
     */
    static boolean covers(QueueMember member, Cycle cycle, Positions before) {
        if (cycle.replay().isPresent()) {
            return ofGroup(member, cycle).since(before).isEmpty()
                    || member.holdsPast(cycle.replay().get().cycle());
        }
        return isFrom(member.bases(), cycle.cut(), before);
    }

    /** Returns whether journals with these bases hold the first record of each stream of a cycle. */
    private static boolean isFrom(Positions bases, Positions cut, Positions before) {
        return bases.allMatch((stream, base) -> base <= before.at(stream) || cut.at(stream) <= before.at(stream));
    }

    /** Returns the cut of a cycle for the group of a node. */
    private static Positions ofGroup(QueueMember member, Cycle cycle) {
        return cycle.in(member.group()).cut();
    }

    /** Returns whether a node's journal holds the records of its group in the cycle, from the first to the last. */
    static boolean holds(QueueMember member, Cycle cycle, Positions before) {
        return covers(member, cycle, before)
                && (cycle.replay().isPresent() || isUpTo(member.positions(), ofGroup(member, cycle), before));
    }

    private static boolean isUpTo(Positions positions, Positions cut, Positions before) {
        return cut.allMatch((stream, seq) -> seq <= before.at(stream) || positions.at(stream) >= seq);
    }

    /**
     * Returns the streams of the last cut that are finished according to a view: all queue nodes of the group of the
     * stream are live, none of them writes the stream, and none holds a record of it. The absence of newer records
     * alone would not suffice: the stream would return as an unknown stream and be counted from its beginning. A
     * stream of a retired group, without a registered or live queue node, is finished once all of its cycles are
     * verified.
     */
    static Set<Long> finished(ClusterView view) {
        GroupSizes sizes = GroupSizes.of(view);
        StreamGroups groups = view.streamGroups();
        Positions cut = view.lastCut();
        Set<Long> finished = new HashSet<>();
        cut.forEach((stream, seq) -> {
            JournalGroup group = groups.of(stream);
            boolean isRetired = view.roster().size() > 0 && sizes.live(group) == 0 && sizes.registered(group) == 0;
            boolean isOver = view.connected() && view.low().cut().at(stream) >= seq;
            if (isRetired ? isOver : sizes.isWhole(group)) {
                finished.add(stream);
            }
        });
        for (QueueMember member : view.queues()) {
            finished.remove(member.stream());
            member.positions().forEach((stream, position) -> {
                if (position > cut.at(stream) || member.bases().at(stream) < position) {
                    finished.remove(stream);
                }
            });
        }
        return finished;
    }

    /** Returns whether a node's journal holds a record after a cut. */
    static boolean holdsNew(QueueMember member, Positions cut) {
        return member.positions().since(cut).stream()
                .anyMatch(range -> member.bases().at(range.stream()) < member.position(range.stream()));
    }
}
