package io.chimera.coordinator.plan;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.StreamGroups;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

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
        Positions cut = Positions.NONE;
        for (JournalGroup group : view.groups()) {
            cut = cut.max(furthestOfGroup(view.in(group), copies, finished));
        }
        return cut;
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
        Positions sendable = Positions.NONE;
        for (JournalGroup group : view.groups()) {
            Positions own = streams.in(group, cut);
            List<StreamRange> ranges = own.since(previous);
            boolean isSendable = queues.stream()
                    .anyMatch(member -> member.group().equals(group)
                            && ranges.stream().allMatch(range -> member.holdsAbove(range.stream(), range.after())));
            sendable = sendable.max(isSendable ? own : unchanged(own, previous));
        }
        return sendable;
    }

    /** Returns the positions of these streams in the previous cut. */
    private static Positions unchanged(Positions streams, Positions previous) {
        Positions.Builder same = Positions.builder();
        streams.forEach((stream, seq) -> {
            if (previous.at(stream) > 0) {
                same.put(stream, previous.at(stream));
            }
        });
        return same.build();
    }

    private static Positions furthestOfGroup(ClusterView view, ReplicationPolicy copies, Set<Long> finished) {
        Positions previous = view.lastCut();
        int needed = copies.needed(view);
        Positions.Builder cut = Positions.builder();
        for (long stream : streams(view)) {
            long reached = Math.max(previous.at(stream), durable(view.queues(), stream, needed));
            if (reached > 0 && !finished.contains(stream)) {
                cut.put(stream, reached);
            }
        }
        return cut.build();
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
        List<StreamRange> ranges = ranges(member, cycle, before);
        if (cycle.replay().isPresent()) {
            return ranges.isEmpty() || member.holdsPast(cycle.replay().get().cycle());
        }
        return ranges.stream().allMatch(range -> member.holdsAbove(range.stream(), range.after()));
    }

    /** Returns the records of a cycle that belong to the group of a node. */
    private static List<StreamRange> ranges(QueueMember member, Cycle cycle, Positions before) {
        return cycle.in(member.group()).cut().since(before);
    }

    /** Returns whether a node's journal holds the records of its group in the cycle, from the first to the last. */
    static boolean holds(QueueMember member, Cycle cycle, Positions before) {
        return covers(member, cycle, before)
                && (cycle.replay().isPresent()
                        || ranges(member, cycle, before).stream().allMatch(member::holds));
    }

    /**
     * Returns the streams of the last cut, and the streams with records in a journal. A journal may still know the
     * position of a finished stream without any record: naming the stream again would count records twice.
     */
    private static Set<Long> streams(ClusterView view) {
        Set<Long> streams = new TreeSet<>(view.lastCut().streams());
        for (QueueMember member : view.queues()) {
            member.positions().streams().stream()
                    .filter(stream -> holdsAny(member, stream))
                    .forEach(streams::add);
        }
        return streams;
    }

    /** Returns whether a node's journal holds a record after a cut. */
    static boolean holdsNew(QueueMember member, Positions cut) {
        return member.positions().since(cut).stream().anyMatch(range -> holdsAny(member, range.stream()));
    }

    private static boolean holdsAny(QueueMember member, long stream) {
        return member.bases().at(stream) < member.position(stream);
    }

    /** Returns the position that at least the given number of journals have reached. */
    private static long durable(List<QueueMember> queues, long stream, int needed) {
        return queues.stream()
                .map(member -> member.position(stream))
                .sorted(Comparator.reverseOrder())
                .skip(needed - 1L)
                .findFirst()
                .orElse(0L);
    }

    /**
     * Returns whether a stream is finished according to the view of its group: all queue nodes of the group are live,
     * none of them writes the stream, and none holds a record of it. The absence of newer records alone would not
     * suffice: the stream would return as an unknown stream and be counted from its beginning.
     */
    static boolean isFinished(ClusterView view, long stream, long cut) {
        // A draining node may no longer be registered, so the count excludes draining nodes.
        long staying =
                view.queues().stream().filter(member -> !member.leaving()).count();
        return staying > 0
                && staying >= view.registered()
                && view.queues().stream()
                        .allMatch(member -> member.stream() != stream
                                && member.position(stream) <= cut
                                && !holdsAny(member, stream));
    }
}
