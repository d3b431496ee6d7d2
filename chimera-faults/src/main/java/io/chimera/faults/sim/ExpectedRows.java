package io.chimera.faults.sim;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.wire.SeriesHash;
import io.chimera.processor.store.MemoryStore;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/** The rows that follow from what the cycles contain, worked out without any code of the nodes. */
final class ExpectedRows {
    private final Map<MemoryStore.Key, Row> rows = new LinkedHashMap<>();
    private final Map<Shard, List<MemoryStore.Key>> keys = new HashMap<>();
    private final Map<Long, Long> filtered = new HashMap<>();
    private final ExpectedWindows behind;
    private final ExpectedWindows also;
    private final ExpectedWindows both;

    ExpectedRows(long windowMs) {
        behind = new ExpectedWindows("m1", false, windowMs);
        also = new ExpectedWindows("m2", false, windowMs);
        both = new ExpectedWindows("m2", true, windowMs);
    }

    private record Shard(long cycle, int number) {}

    private record Group(String metric, Tags tags, int shard) {}

    /** The aggregates of one group. */
    private static final class Sums {
        private long count;
        private double sum;
        private double max = Double.NEGATIVE_INFINITY;

        void add(int value) {
            count++;
            sum += value;
            max = Math.max(max, value);
        }
    }

    /**
     * A cycle began with these records.
     *
     * @param isOther whether its pipelines are the other ones of {@link SimCluster}
     */
    void add(Cycle cycle, boolean isOther, List<Streams.Entry> entries) {
        Map<Group, Sums> groups = new LinkedHashMap<>();
        long passed = 0;
        for (Streams.Entry entry : entries) {
            SimPoint point = entry.point();
            if (point.metric().equals("x")) {
                passed++;
                continue;
            }
            String metric = point.metric();
            int shards = cycle.shards();
            add(groups, point, metric, Map.of("g", point.group(), "s", point.series()), entry.seriesHash(), shards);
            if (metric.equals("m1")) {
                addUnless(isOther, groups, point, metric, Map.of("g", point.group()), entry.groupHash(), shards);
            } else {
                add(groups, point, "c2", Map.of("g", point.group()), keyHash("c2", "g", point.group()), shards);
                add(groups, point, "d2", Map.of("h", point.group()), keyHash("d2", "h", point.group()), shards);
                addUnless(
                        !isOther,
                        groups,
                        point,
                        "e2",
                        Map.of("g", point.group()),
                        keyHash("e2", "g", point.group()),
                        shards);
            }
        }
        filtered.put(cycle.number(), passed);
        groups.forEach((group, sums) -> addRows(cycle, group, sums));
        behind.add(cycle, entries, true, (shard, row) -> add(cycle, shard, row));
        also.add(cycle, entries, isOther, (shard, row) -> add(cycle, shard, row));
        both.add(cycle, entries, !isOther, (shard, row) -> add(cycle, shard, row));
    }

    private static void addUnless(
            boolean isLeftOut,
            Map<Group, Sums> groups,
            SimPoint point,
            String metric,
            Map<String, String> tags,
            long hash,
            int shards) {
        if (!isLeftOut) {
            add(groups, point, metric, tags, hash, shards);
        }
    }

    private static void add(
            Map<Group, Sums> groups, SimPoint point, String metric, Map<String, String> tags, long hash, int shards) {
        Group group = new Group(metric, Tags.of(tags), SeriesHash.shard(hash, shards));
        groups.computeIfAbsent(group, key -> new Sums()).add(point.id());
    }

    /** Hash of the key of a metric with one tag; see {@link io.chimera.common.wire.BodyLayout}. */
    private static long keyHash(String... texts) {
        UnsafeBuffer key = new UnsafeBuffer(new byte[64]);
        int length = 0;
        for (String text : texts) {
            key.putShort(length, (short) text.length(), ByteOrder.LITTLE_ENDIAN);
            length += 2 + key.putStringWithoutLengthAscii(length + 2, text);
        }
        return SeriesHash.of(key, 0, length);
    }

    private void addRows(Cycle cycle, Group group, Sums sums) {
        String prefix = group.metric() + ".v.";
        add(cycle, group.shard(), Row.ofLong(prefix + "count", group.tags(), cycle.timeMs(), sums.count));
        add(cycle, group.shard(), Row.ofDouble(prefix + "sum", group.tags(), cycle.timeMs(), sums.sum));
        add(cycle, group.shard(), Row.ofDouble(prefix + "max", group.tags(), cycle.timeMs(), sums.max));
    }

    private void add(Cycle cycle, int shard, Row row) {
        MemoryStore.Key key = keyOf(row);
        Row other = rows.put(key, row);
        Violation.unless(
                other == null, "CutsMonotone", () -> String.format("Two cycles have one time: %s and %s.", row, other));
        keys.computeIfAbsent(new Shard(cycle.number(), shard), none -> new ArrayList<>())
                .add(key);
    }

    /** What a store keeps a row by. */
    static MemoryStore.Key keyOf(Row row) {
        return new MemoryStore.Key(row.metric(), row.tags(), row.timeMs(), row.isLong());
    }

    /** RowExact: a row that is on its way into the store is the one that follows from its cycle. */
    void check(Row row) {
        Row expected = rows.get(keyOf(row));
        Violation.unless(
                row.equals(expected),
                "RowExact",
                () -> String.format("The row is %s and ought to be %s.", row, expected));
    }

    /** Keys of the rows of a shard. */
    List<MemoryStore.Key> keys(long cycle, int shard) {
        return keys.getOrDefault(new Shard(cycle, shard), List.of());
    }

    /** Number of points of a cycle that no pipeline takes. */
    long filtered(long cycle) {
        return filtered.get(cycle);
    }

    /** At the end: the store holds these rows and no others. */
    void checkAll(MemoryStore store) {
        for (Map.Entry<MemoryStore.Key, Row> expected : rows.entrySet()) {
            Row row = store.row(expected.getKey());
            Violation.unless(
                    expected.getValue().equals(row),
                    row == null ? "NoLoss" : "NoDouble",
                    () -> String.format("The store holds %s and ought to hold %s.", row, expected.getValue()));
        }
        Violation.unless(
                store.rows().size() == rows.size(),
                "RowExact",
                () -> String.format(
                        "The store holds %d rows and ought to hold %d.",
                        store.rows().size(), rows.size()));
    }
}
