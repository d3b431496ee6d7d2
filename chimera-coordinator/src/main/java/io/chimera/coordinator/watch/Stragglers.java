package io.chimera.coordinator.watch;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ShardId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds parts and shards of open cycles that lag far behind although their nodes are live. A shard lags when at least
 * half of the shards of its cycle are committed, and the shard takes several times the median time of the committed
 * shards. When no shard commits, for example during an outage of the store, no shard lags. The bound of a part or shard
 * doubles with each reassignment: work that is slow by nature, such as a shard with one very large key, so gets a
 * processor with enough time to finish. Used by the conductor's thread only.
 */
public final class Stragglers {
    /** Multiple of the median time that is more than a slightly larger shard needs. */
    private static final int MEDIANS = 4;

    /** Maximum number of doublings: 64 times {@code straggler_after} is ten minutes by default. */
    private static final int DOUBLINGS_MAX = 6;

    private final long afterNs;
    private final TreeMap<Long, Watch> watches = new TreeMap<>();

    public Stragglers(long afterNs) {
        this.afterNs = afterNs;
    }

    /** Observations of one open cycle. */
    private static final class Watch {
        private final long beganNs;
        private final Map<Integer, Long> committedNs = new HashMap<>();
        private final Map<Integer, Turns> parts = new HashMap<>();
        private final Map<Integer, Turns> shards = new HashMap<>();

        Watch(long beganNs) {
            this.beganNs = beganNs;
        }

        Turns turns(Map<Integer, Turns> of, int number) {
            return of.computeIfAbsent(number, key -> new Turns(beganNs));
        }

        long medianNs() {
            long[] took = committedNs.values().stream()
                    .mapToLong(ns -> ns - beganNs)
                    .sorted()
                    .toArray();
            return took[took.length / 2];
        }
    }

    /** Earlier sessions of a part or shard, and the start time of the current session. */
    private static final class Turns {
        private final Set<Long> had = new HashSet<>();
        private long sinceNs;
        private int given;

        Turns(long sinceNs) {
            this.sinceNs = sinceNs;
        }
    }

    /** Updates the observations of all open cycles from a view. */
    public void look(ClusterView view, long nowNs) {
        watches.keySet().removeIf(number -> view.open(number).isEmpty());
        for (OpenCycle open : view.open()) {
            Watch watch = watches.computeIfAbsent(open.cycle().number(), key -> new Watch(nowNs));
            open.commits().keySet().forEach(shard -> watch.committedNs.putIfAbsent(shard, nowNs));
        }
    }

    /** Returns whether an uncommitted shard lags behind the other shards of its cycle. */
    public boolean lagsShard(OpenCycle open, int shard, long nowNs) {
        int committed = open.commits().size();
        if (open.isCommitted(shard)
                || committed == 0
                || 2 * committed < open.cycle().shards()) {
            return false;
        }
        Watch watch = watch(open.cycle().number());
        long medianNs = watch.medianNs();
        long boundNs = Math.max(MEDIANS * medianNs, medianNs + afterNs);
        return isOver(watch.turns(watch.shards, shard), boundNs, nowNs);
    }

    /**
     * Returns whether a part has waited too long for its owner, which does not hold the cycle although other queue
     * nodes do.
     */
    public boolean lagsPart(OpenCycle open, int part, long nowNs) {
        Watch watch = watch(open.cycle().number());
        return isOver(watch.turns(watch.parts, part), afterNs, nowNs);
    }

    private Watch watch(long cycle) {
        return Objects.requireNonNull(watches.get(cycle), "look() adds every open cycle");
    }

    private static boolean isOver(Turns turns, long boundNs, long nowNs) {
        return nowNs - turns.sinceNs >= boundNs << Math.min(turns.given, DOUBLINGS_MAX);
    }

    /** Returns whether a session had the shard and lost it. */
    public boolean hadShard(ShardId id, long session) {
        Watch watch = watches.get(id.cycle());
        return watch != null && watch.turns(watch.shards, id.shard()).had.contains(session);
    }

    /** Records the reassignment of a part from a session. */
    public void takenPart(long cycle, int part, long session, long nowNs) {
        Watch watch = watch(cycle);
        taken(watch.turns(watch.parts, part), session, nowNs);
    }

    public void takenShard(ShardId id, long session, long nowNs) {
        Watch watch = watch(id.cycle());
        taken(watch.turns(watch.shards, id.shard()), session, nowNs);
    }

    private static void taken(Turns turns, long session, long nowNs) {
        turns.had.add(session);
        turns.sinceNs = nowNs;
        turns.given++;
    }
}
