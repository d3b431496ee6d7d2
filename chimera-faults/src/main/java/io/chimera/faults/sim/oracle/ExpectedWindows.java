package io.chimera.faults.sim.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.common.cluster.Cycle;
import io.chimera.common.wire.SeriesHash;
import io.chimera.faults.sim.world.SimPipelines;
import io.chimera.faults.sim.world.SimPoint;
import io.chimera.faults.sim.world.SlidingType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Expected output of the block {@link SlidingType} without faults, computed without any code of the nodes. Points are
 * ordered by cycle, within a cycle by part, and within a part as in the streams.
 */
final class ExpectedWindows {
    private final String metric;
    private final String group;
    private final boolean isOfSeries;
    private final long windowMs;
    private final Map<String, List<Taken>> windows = new TreeMap<>();
    private final Map<String, Integer> partitions = new TreeMap<>();

    private record Taken(long timeMs, int id) {}

    /** Takes the value of a row of a shard. */
    interface Rows {
        void add(int shard, String metric, Map<String, String> tags, String field, double value);
    }

    /**
     * Creates the windows for the points of a metric.
     *
     * @param group tag of the rows
     * @param isOfSeries whether the points are counted by two keys, their group and their series; otherwise by their
     *     group
     */
    ExpectedWindows(String metric, String group, boolean isOfSeries, long windowMs) {
        this.metric = metric;
        this.group = group;
        this.isOfSeries = isOfSeries;
        this.windowMs = windowMs;
    }

    /**
     * Adds the records of a begun cycle.
     *
     * @param isGiven whether a pipeline of the cycle has the block; the state follows from the records in both cases
     */
    void add(Cycle cycle, List<Streams.Entry> entries, boolean isGiven, Rows rows) {
        List<Streams.Entry> ordered = new ArrayList<>(entries);
        ordered.sort(Comparator.comparingInt(entry -> GroupOracle.partOf(cycle, entry)));
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
            Map<String, String> tags = Map.of(group, of);
            long digest = 0;
            for (Taken taken : window) {
                digest = SlidingType.digest(digest, taken.id);
            }
            rows.add(shard, metric, tags, "count", (double) window.size());
            rows.add(shard, metric, tags, "digest", (double) digest);
        });
    }

    private void take(Cycle cycle, SimPoint point, String of, long hash) {
        partitions.put(of, SeriesHash.shard(hash, SimPipelines.PARTITIONS));
        windows.computeIfAbsent(of, key -> new ArrayList<>()).add(new Taken(cycle.timeMs(), point.id()));
    }

    private static long hash(String key) {
        byte[] bytes = key.getBytes(UTF_8);
        return SeriesHash.of(new UnsafeBuffer(bytes), 0, bytes.length);
    }
}
