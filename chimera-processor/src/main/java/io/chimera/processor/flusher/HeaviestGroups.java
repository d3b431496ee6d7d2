package io.chimera.processor.flusher;

import io.chimera.api.model.SeriesKey;
import io.chimera.processor.Heaviest;
import io.chimera.processor.WholeShard;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * Finds the groups to which most values came while rows are made of them, where their counts are at hand: exactly, and at
 * the price of one comparison per group. Remembers those of the newest cycle only. The flusher's thread; any thread reads
 * what was found.
 */
final class HeaviestGroups {
    /** Groups that are remembered of a pipeline of a shard, and shown in the end. */
    static final int GROUPS_MAX = 10;

    private static final Comparator<Heaviest.Group> BY_VALUES = Comparator.comparingLong(Heaviest.Group::values);

    /** By pipeline and shard: what is flushed once more takes the place of what was. */
    private final Map<String, List<Heaviest.Group>> groups = new TreeMap<>();

    private final Map<Integer, Long> points = new TreeMap<>();
    private long timeMs = Long.MIN_VALUE;
    private volatile Heaviest found = Heaviest.NONE;

    HeaviestGroups() {}

    /** Those of one pipeline of a shard, while its groups are walked. */
    static final class Walk {
        private final String pipeline;
        private final PriorityQueue<Heaviest.Group> heaviest = new PriorityQueue<>(GROUPS_MAX, BY_VALUES);
        private long least;

        Walk(String pipeline) {
            this.pipeline = pipeline;
        }

        void onGroup(SeriesKey key, long values) {
            if (values <= least) {
                return;
            }
            heaviest.add(new Heaviest.Group(pipeline, key, values));
            if (heaviest.size() > GROUPS_MAX) {
                heaviest.remove();
                least = heaviest.element().values();
            }
        }
    }

    /** A walk has come to its end. */
    void end(WholeShard shard, Walk walk) {
        if (shard.timeMs() < timeMs) {
            return; // a replay, or a shard that was held up
        }
        if (shard.timeMs() > timeMs) {
            timeMs = shard.timeMs();
            groups.clear();
            points.clear();
        }
        List<Heaviest.Group> ofShard = new ArrayList<>(walk.heaviest);
        String key = shard.shard() + " " + walk.pipeline;
        if (!shard.isFirst()) {
            ofShard.addAll(groups.getOrDefault(key, List.of()));
            ofShard.sort(BY_VALUES.reversed());
        }
        groups.put(key, List.copyOf(ofShard.subList(0, Math.min(GROUPS_MAX, ofShard.size()))));
        points.put(shard.shard(), shard.aggregated());
        found = new Heaviest(
                shard.cycle(),
                points.values().stream().mapToLong(Long::longValue).sum(),
                groups.values().stream()
                        .flatMap(List::stream)
                        .sorted(BY_VALUES.reversed())
                        .limit(GROUPS_MAX)
                        .toList());
    }

    /** What was found. Any thread. */
    Heaviest found() {
        return found;
    }
}
