package io.chimera.coordinator;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.OpenCycle;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which parts and shards of open cycles are far behind the others although those that have them live. A shard lags when
 * at least half of its cycle is committed and it is not, for several times as long as the median of these took. Where no
 * shard gets on, as while the store is away, nobody lags. Each time that a part or shard is given away its bound doubles:
 * what is slow by nature, a shard with one very big key, finds a processor that may finish. Owned by the conductor.
 */
final class Stragglers {
    /** What takes so many times the median is not merely a little larger than the others. */
    private static final int MEDIANS = 4;

    /** 64 times {@code straggler_after} is ten minutes by default. */
    private static final int DOUBLINGS_MAX = 6;

    private final long afterNs;
    private final TreeMap<Long, Watch> watches = new TreeMap<>();

    Stragglers(long afterNs) {
        this.afterNs = afterNs;
    }

    /** What was seen of one open cycle. */
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

    /** Who has had a part or shard, and since when the present one has it. */
    private static final class Turns {
        private final Set<Long> had = new HashSet<>();
        private long sinceNs;
        private int given;

        Turns(long sinceNs) {
            this.sinceNs = sinceNs;
        }
    }

    /** Notes what a view shows of every open cycle. */
    void look(ClusterView view, long nowNs) {
        watches.keySet().removeIf(number -> view.open(number).isEmpty());
        for (OpenCycle open : view.open()) {
            Watch watch = watches.computeIfAbsent(open.cycle().number(), key -> new Watch(nowNs));
            open.commits().keySet().forEach(shard -> watch.committedNs.putIfAbsent(shard, nowNs));
        }
    }

    /** Whether a shard that is not committed lags behind the others of its cycle. */
    boolean lagsShard(OpenCycle open, int shard, long nowNs) {
        int committed = open.commits().size();
        if (open.isCommitted(shard)
                || committed == 0
                || 2 * committed < open.cycle().shards()) {
            return false;
        }
        Watch watch = watches.get(open.cycle().number());
        long medianNs = watch.medianNs();
        long boundNs = Math.max(MEDIANS * medianNs, medianNs + afterNs);
        return isOver(watch.turns(watch.shards, shard), boundNs, nowNs);
    }

    /** Whether a part whose owner does not hold the cycle, though others do, stays behind for too long. */
    boolean lagsPart(OpenCycle open, int part, long nowNs) {
        Watch watch = watches.get(open.cycle().number());
        return isOver(watch.turns(watch.parts, part), afterNs, nowNs);
    }

    private static boolean isOver(Turns turns, long boundNs, long nowNs) {
        return nowNs - turns.sinceNs >= boundNs << Math.min(turns.given, DOUBLINGS_MAX);
    }

    /** Whether a session has had the shard and did not get it done. */
    boolean hadShard(long cycle, int shard, long session) {
        Watch watch = watches.get(cycle);
        return watch != null && watch.turns(watch.shards, shard).had.contains(session);
    }

    /** A part or shard was taken from a session. */
    void takenPart(long cycle, int part, long session, long nowNs) {
        Watch watch = watches.get(cycle);
        taken(watch.turns(watch.parts, part), session, nowNs);
    }

    void takenShard(long cycle, int shard, long session, long nowNs) {
        Watch watch = watches.get(cycle);
        taken(watch.turns(watch.shards, shard), session, nowNs);
    }

    private static void taken(Turns turns, long session, long nowNs) {
        turns.had.add(session);
        turns.sinceNs = nowNs;
        turns.given++;
    }

    /** Begins anew: while nobody looked, somebody may have got on. */
    void forget() {
        watches.clear();
    }
}
