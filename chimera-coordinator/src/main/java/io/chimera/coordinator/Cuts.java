package io.chimera.coordinator;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Copies;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.QueueMember;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Arithmetic on cuts: how far each stream goes in the next cycle. Pure. */
final class Cuts {
    private Cuts() {}

    /**
     * The furthest cut that a cycle after the view's last may have: of each stream what enough journals hold durably.
     *
     * @param view of the cluster
     * @param copies journals that must hold a record
     * @param finished streams that it need not name any more
     */
    static SortedMap<Long, Long> furthest(ClusterView view, Copies copies, Set<Long> finished) {
        SortedMap<Long, Long> previous = view.lastCut();
        int needed = copies.needed(view);
        SortedMap<Long, Long> cut = new TreeMap<>();
        for (long stream : streams(view)) {
            long reached = Math.max(previous.getOrDefault(stream, 0L), durable(view.queues(), stream, needed));
            if (reached > 0 && !finished.contains(stream)) {
                cut.put(stream, reached);
            }
        }
        return cut;
    }

    /**
     * The cut drawn back until the cycle has no more than so many records; every stream gives way in proportion, so
     * that none of them falls behind the others.
     */
    static SortedMap<Long, Long> limited(SortedMap<Long, Long> previous, SortedMap<Long, Long> cut, long maxPoints) {
        long points = points(previous, cut);
        if (points <= maxPoints) {
            return cut;
        }
        double share = (double) maxPoints / points;
        SortedMap<Long, Long> drawn = new TreeMap<>();
        cut.forEach((stream, upTo) -> {
            long from = previous.getOrDefault(stream, 0L);
            long taken = upTo == from ? 0 : Math.max(1, (long) ((upTo - from) * share));
            if (from + taken > 0) {
                drawn.put(stream, from + taken);
            }
        });
        return drawn;
    }

    /** Records in (previous, cut]. */
    static long points(SortedMap<Long, Long> previous, SortedMap<Long, Long> cut) {
        long points = 0;
        for (Map.Entry<Long, Long> stream : cut.entrySet()) {
            points += stream.getValue() - previous.getOrDefault(stream.getKey(), 0L);
        }
        return points;
    }

    /**
     * Whether a node's journal reaches down to where every stream of the cycle begins; of a replay cycle, whether it
     * still holds what is repeated.
     *
     * @param before what the cycle begins above
     */
    static boolean covers(QueueMember member, Cycle cycle, SortedMap<Long, Long> before) {
        if (cycle.replay().isPresent()) {
            return member.holdsPast(cycle.replay().get().cycle());
        }
        return cycle.cut().entrySet().stream().allMatch(stream -> {
            long from = before.getOrDefault(stream.getKey(), 0L);
            return stream.getValue() == from || member.holdsAbove(stream.getKey(), from);
        });
    }

    /** Whether a node's journal holds the cycle from its first record to its last. */
    static boolean holds(QueueMember member, Cycle cycle, SortedMap<Long, Long> before) {
        return covers(member, cycle, before)
                && (cycle.replay().isPresent()
                        || cycle.cut().entrySet().stream().allMatch(stream -> {
                            long from = before.getOrDefault(stream.getKey(), 0L);
                            return stream.getValue() == from || member.position(stream.getKey()) >= stream.getValue();
                        }));
    }

    /**
     * The streams of the last cut, and those that a journal holds records of. Of a stream that is finished journals may
     * still know the position: taking it up again would count its records twice.
     */
    private static Set<Long> streams(ClusterView view) {
        Set<Long> streams = new TreeSet<>(view.lastCut().keySet());
        for (QueueMember member : view.queues()) {
            member.positions().keySet().stream()
                    .filter(stream -> holdsAny(member, stream))
                    .forEach(streams::add);
        }
        return streams;
    }

    private static boolean holdsAny(QueueMember member, long stream) {
        return member.bases().getOrDefault(stream, 0L) < member.position(stream);
    }

    /** The position that at least so many journals have reached. */
    private static long durable(List<QueueMember> queues, long stream, int needed) {
        return queues.stream()
                .map(member -> member.position(stream))
                .sorted(Comparator.reverseOrder())
                .skip(needed - 1L)
                .findFirst()
                .orElse(0L);
    }

    /**
     * Whether nothing of a stream is to be heard again, by what the view says: every queue node is there, none of them
     * writes it, and none holds a record of it any more. That no journal merely holds something newer would not be
     * enough: the stream would come back as an unknown one and be counted from its beginning.
     */
    static boolean isFinished(ClusterView view, long stream, long cut) {
        // One that leaves may not be registered any more, so it cannot stand for one that is.
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
