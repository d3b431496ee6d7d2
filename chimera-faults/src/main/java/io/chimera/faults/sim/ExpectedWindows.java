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

    private final long windowMs;
    private final Map<Window, List<Taken>> windows = new TreeMap<>();
    private final Map<Window, Integer> partitions = new TreeMap<>();

    /** What is counted together: points of a group, or of a series where that is a key, too. */
    private record Window(String metric, String of) implements Comparable<Window> {
        @Override
        public int compareTo(Window other) {
            int byMetric = metric.compareTo(other.metric);
            return byMetric != 0 ? byMetric : of.compareTo(other.of);
        }
    }

    private record Taken(long timeMs, int id) {}

    /** Takes a row of a shard. */
    interface Rows {
        void add(int shard, Row row);
    }

    ExpectedWindows(long windowMs) {
        this.windowMs = windowMs;
    }

    /** A cycle began with these records. */
    void add(Cycle cycle, List<Streams.Entry> entries, Rows rows) {
        List<Streams.Entry> ordered = new ArrayList<>(entries);
        ordered.sort(Comparator.comparingInt(entry -> SeriesHash.part(entry.seriesHash(), cycle.parts())));
        for (Streams.Entry entry : ordered) {
            SimPoint point = entry.point();
            if (point.metric().equals("m1")) {
                take(cycle, point, point.group(), entry.groupHash());
            } else if (point.metric().equals("m2")) {
                take(cycle, point, point.group(), hash(point.group()));
                take(cycle, point, point.series(), hash(point.series()));
            }
        }
        windows.values().forEach(window -> window.removeIf(taken -> taken.timeMs <= cycle.timeMs() - windowMs));
        windows.values().removeIf(List::isEmpty);
        windows.forEach((of, window) -> {
            int shard = partitions.get(of) % cycle.shards();
            Tags tags = Tags.of(Map.of("g", of.of));
            long digest = 0;
            for (Taken taken : window) {
                digest = SlidingType.digest(digest, taken.id);
            }
            rows.add(shard, Row.ofDouble(of.metric + ".count.max", tags, cycle.timeMs(), (double) window.size()));
            rows.add(shard, Row.ofDouble(of.metric + ".digest.max", tags, cycle.timeMs(), (double) digest));
        });
    }

    private void take(Cycle cycle, SimPoint point, String of, long hash) {
        Window window = new Window(point.metric(), of);
        partitions.put(window, SeriesHash.shard(hash, PARTITIONS));
        windows.computeIfAbsent(window, key -> new ArrayList<>()).add(new Taken(cycle.timeMs(), point.id()));
    }

    private static long hash(String key) {
        byte[] bytes = key.getBytes(US_ASCII);
        return SeriesHash.of(new UnsafeBuffer(bytes), 0, bytes.length);
    }
}
