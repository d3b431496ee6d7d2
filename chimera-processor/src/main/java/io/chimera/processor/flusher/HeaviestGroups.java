package io.chimera.processor.flusher;

import io.chimera.api.model.SeriesKey;
import io.chimera.processor.pipeline.CompletedShard;
import io.chimera.processor.pipeline.TopGroups;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * Finds the groups with most values while their rows are made. The counts are exact at that point, and the search costs
 * a comparison per group. Keeps only the groups of the newest cycle. Written by the flusher's thread; the result may be
 * read by any thread.
 */
final class HeaviestGroups {
    /** Maximum number of groups kept per pipeline of a shard, and of groups in the result. */
    static final int GROUPS_MAX = 10;

    private static final Comparator<TopGroups.Group> BY_VALUES = Comparator.comparingLong(TopGroups.Group::values);

    /** Groups by shard and pipeline. A repeated flush replaces the groups of the earlier flush. */
    private final Map<String, List<TopGroups.Group>> groups = new TreeMap<>();

    private final Map<Integer, Long> points = new TreeMap<>();
    private long timeMs = Long.MIN_VALUE;
    private volatile TopGroups found = TopGroups.NONE;

    HeaviestGroups() {}

    /** Collects the heaviest groups of a pipeline of a shard during the walk over its groups. */
    static final class Walk {
        private final String pipeline;
        private final PriorityQueue<TopGroups.Group> heaviest = new PriorityQueue<>(GROUPS_MAX, BY_VALUES);
        private long least;

        Walk(String pipeline) {
            this.pipeline = pipeline;
        }

        void onGroup(SeriesKey key, long values) {
            if (values <= least) {
                return;
            }
            heaviest.add(new TopGroups.Group(pipeline, key, values));
            if (heaviest.size() > GROUPS_MAX) {
                heaviest.remove();
                least = heaviest.element().values();
            }
        }
    }

    /** Publishes the result of a finished walk. */
    void end(CompletedShard shard, Walk walk) {
        if (shard.timeMs() < timeMs) {
            return; // a replay, or a delayed shard
        }
        if (shard.timeMs() > timeMs) {
            timeMs = shard.timeMs();
            groups.clear();
            points.clear();
        }
        List<TopGroups.Group> ofShard = new ArrayList<>(walk.heaviest);
        String key = shard.shard() + " " + walk.pipeline;
        if (!shard.isFirst()) {
            ofShard.addAll(groups.getOrDefault(key, List.of()));
            ofShard.sort(BY_VALUES.reversed());
        }
        groups.put(key, List.copyOf(ofShard.subList(0, Math.min(GROUPS_MAX, ofShard.size()))));
        points.put(shard.shard(), shard.aggregated());
        found = new TopGroups(
                shard.cycle(),
                points.values().stream().mapToLong(Long::longValue).sum(),
                groups.values().stream()
                        .flatMap(List::stream)
                        .sorted(BY_VALUES.reversed())
                        .limit(GROUPS_MAX)
                        .toList());
    }

    /** Returns the published result. Any thread. */
    TopGroups found() {
        return found;
    }
}
