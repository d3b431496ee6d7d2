package io.chimera.coordinator.plan;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Arithmetic on cuts. Pure. */
public final class Cuts {
    private Cuts() {}

    /**
     * Returns the furthest possible cut of the next cycle: for each stream the position that enough journals hold
     * durably.
     *
     * @param view of the cluster
     * @param copies number of journals that must hold a record
     * @param finished streams that the cut may omit
     */
    public static Positions furthest(ClusterView view, ReplicationPolicy copies, Set<Long> finished) {
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
     * Returns whether a node's journal still holds the start of every stream of the cycle; for a replay cycle, whether
     * the journal still holds the past cycle.
     *
     * @param before cut of the previous cycle
     */
    static boolean covers(QueueMember member, Cycle cycle, Positions before) {
        if (cycle.replay().isPresent()) {
            return member.holdsPast(cycle.replay().get().cycle());
        }
        return cycle.cut().since(before).stream().allMatch(range -> member.holdsAbove(range.stream(), range.after()));
    }

    /** Returns whether a node's journal holds the cycle from its first record to its last. */
    static boolean holds(QueueMember member, Cycle cycle, Positions before) {
        return covers(member, cycle, before)
                && (cycle.replay().isPresent()
                        || cycle.cut().since(before).stream().allMatch(member::holds));
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
     * Returns whether a stream is finished according to a view: all queue nodes are live, none of them writes the
     * stream, and none holds a record of it. The absence of newer records alone would not suffice: the stream would
     * return as an unknown stream and be counted from its beginning.
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
