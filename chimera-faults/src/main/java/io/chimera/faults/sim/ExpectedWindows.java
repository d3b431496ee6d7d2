package io.chimera.faults.sim;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.wire.SeriesHash;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What the block {@link SlidingType} gives when nothing ever happens to it, worked out without any code of the nodes: points
 * come by cycle, in a cycle by part, in a part as the streams have them.
 */
final class ExpectedWindows {
    /** Partitions of the keys; no multiple of a number of processors. */
    static final int PARTITIONS = 7;

    private final String metric;
    private final boolean isOfSeries;
    private final long windowMs;
    private final Map<String, List<Taken>> windows = new TreeMap<>();
    private final Map<String, Integer> partitions = new TreeMap<>();

    private record Taken(long timeMs, int id) {}

    /** Takes a row of a shard. */
    interface Rows {
        void add(int shard, Row row);
    }

    /**
     * Windows of the points of a metric.
     *
     * @param isOfSeries whether the points are counted by two keys, their group and their series; otherwise by their group
     */
    ExpectedWindows(String metric, boolean isOfSeries, long windowMs) {
        this.metric = metric;
        this.isOfSeries = isOfSeries;
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
            SimPoint point = entry.point();
            if (!point.metric().equals(metric)) {
                continue;
            }
            if (isOfSeries) {
                take(cycle, point, point.group(), hash(point.group()));
                take(cycle, point, point.series(), hash(point.series()));
            } else {
                take(cycle, point, point.group(), entry.groupHash());
            }
        }
        windows.values().forEach(window -> window.removeIf(taken -> taken.timeMs <= cycle.timeMs() - windowMs));
        windows.values().removeIf(List::isEmpty);
        if (!isGiven) {
            return;
        }
        windows.forEach((of, window) -> {
            int shard = partitions.get(of) % cycle.shards();
            Tags tags = Tags.of(Map.of("g", of));
            long digest = 0;
            for (Taken taken : window) {
                digest = SlidingType.digest(digest, taken.id);
            }
            rows.add(shard, Row.ofDouble(metric + ".count.max", tags, cycle.timeMs(), (double) window.size()));
            rows.add(shard, Row.ofDouble(metric + ".digest.max", tags, cycle.timeMs(), (double) digest));
        });
    }

    private void take(Cycle cycle, SimPoint point, String of, long hash) {
        partitions.put(of, SeriesHash.shard(hash, PARTITIONS));
        windows.computeIfAbsent(of, key -> new ArrayList<>()).add(new Taken(cycle.timeMs(), point.id()));
    }

    private static long hash(String key) {
        byte[] bytes = key.getBytes(US_ASCII);
        return SeriesHash.of(new UnsafeBuffer(bytes), 0, bytes.length);
    }
}
