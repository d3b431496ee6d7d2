package io.chimera.faults.sim;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.wire.SeriesHash;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the block {@link SlidingType} gives when nothing ever happens to it, worked out without any code of the nodes: points
 * come by cycle, in a cycle by part, in a part as the streams have them.
 */
final class ExpectedWindows {
    /** Partitions of the keys; no multiple of a number of processors. */
    static final int PARTITIONS = 7;

    private final String metric;
    private final long windowMs;
    private final Map<String, List<Taken>> windows = new TreeMap<>();
    private final Map<String, Integer> partitions = new TreeMap<>();

    private record Taken(long timeMs, int id) {}

    /** Takes a row of a shard. */
    interface Rows {
        void add(int shard, Row row);
    }

    ExpectedWindows(String metric, long windowMs) {
        this.metric = metric;
        this.windowMs = windowMs;
    }

    /**
     * A cycle began with these records.
     *
     * @param isGiven whether a pipeline of the cycle has the block; its state follows from the records, be it given or not
     */
    void add(Cycle cycle, List<Streams.Entry> entries, boolean isGiven, Rows rows) {
        List<Streams.Entry> ordered = new ArrayList<>(entries);
        ordered.sort(Comparator.comparingInt(entry -> SeriesHash.part(entry.seriesHash(), cycle.parts())));
        for (Streams.Entry entry : ordered) {
            if (entry.point().metric().equals(metric)) {
                String group = entry.point().group();
                partitions.put(group, SeriesHash.shard(entry.groupHash(), PARTITIONS));
                windows.computeIfAbsent(group, key -> new ArrayList<>())
                        .add(new Taken(cycle.timeMs(), entry.point().id()));
            }
        }
        windows.values().forEach(window -> window.removeIf(taken -> taken.timeMs <= cycle.timeMs() - windowMs));
        windows.values().removeIf(List::isEmpty);
        if (!isGiven) {
            return;
        }
        windows.forEach((group, window) -> {
            int shard = partitions.get(group) % cycle.shards();
            Tags tags = Tags.of(Map.of("g", group));
            long digest = 0;
            for (Taken taken : window) {
                digest = SlidingType.digest(digest, taken.id);
            }
            rows.add(shard, Row.ofDouble(metric + ".count.max", tags, cycle.timeMs(), (double) window.size()));
            rows.add(shard, Row.ofDouble(metric + ".digest.max", tags, cycle.timeMs(), (double) digest));
        });
    }
}
