package io.chimera.faults.sim.oracle;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.ShardId;
import io.chimera.common.config.pipeline.RowsConfig;
import io.chimera.common.row.RowNaming;
import io.chimera.common.wire.SeriesHash;
import io.chimera.faults.sim.world.SimLayout;
import io.chimera.faults.sim.world.SimPipelines;
import io.chimera.faults.sim.world.SimPoint;
import io.chimera.faults.sim.world.SimStores;
import io.chimera.faults.sim.world.StorePlace;
import io.chimera.faults.sim.world.Violation;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Expected rows of the cycles, computed without any code of the nodes. Rows are distinguished by their {@link
 * RowIdentity}; two rows with the same place in a store are a violation.
 */
final class ExpectedRows {
    private final SimLayout layout;
    private final Map<StorePlace, Expected> rows = new LinkedHashMap<>();
    private final Map<ShardId, List<StorePlace>> places = new HashMap<>();
    private final Map<Long, Long> filtered = new HashMap<>();
    private final Map<Long, Long> late = new HashMap<>();
    private final ExpectedWindows behind;
    private final ExpectedWindows also;
    private final ExpectedWindows both;

    ExpectedRows(SimLayout layout, long windowMs) {
        this.layout = layout;
        behind = new ExpectedWindows(layout.one(), layout.group(), false, windowMs);
        also = new ExpectedWindows(layout.two(), layout.group(), false, windowMs);
        both = new ExpectedWindows(layout.two(), layout.group(), true, windowMs);
    }

    private record Expected(RowIdentity identity, Row row) {}

    private record Group(String pipeline, String metric, String field, SortedMap<String, String> tags, int shard) {}

    /** Aggregates of a group. */
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
     * Adds the rows of a begun cycle.
     *
     * @param isOther whether the cycle has the other pipelines of {@link SimPipelines}
     */
    void add(Cycle cycle, boolean isOther, List<Streams.Entry> entries) {
        Map<Group, Sums> groups = new LinkedHashMap<>();
        long passed = 0;
        long tooLate = 0;
        for (Streams.Entry entry : entries) {
            SimPoint point = entry.point();
            if (point.metric().equals(SimLayout.UNTAKEN)) {
                passed++;
                continue;
            }
            if (point.isLate()) {
                tooLate++;
                continue;
            }
            String metric = point.metric();
            int shards = cycle.shards();
            if (point.isBare()) {
                int shard = SeriesHash.shard(entry.seriesHash(), shards);
                add(groups, point, new Group(SimPipelines.BY_SERIES, metric, point.field(), new TreeMap<>(), shard));
                continue;
            }
            Map<String, String> ofGroup = Map.of(layout.group(), point.group());
            add(
                    groups,
                    point,
                    new Group(
                            SimPipelines.BY_SERIES,
                            metric,
                            point.field(),
                            new TreeMap<>(Map.of(layout.group(), point.group(), layout.series(), point.series())),
                            SeriesHash.shard(entry.seriesHash(), shards)));
            if (metric.equals(layout.one())) {
                if (!isOther) {
                    int shard = SeriesHash.shard(entry.groupHash(), shards);
                    add(groups, point, new Group("groups", metric, point.field(), new TreeMap<>(ofGroup), shard));
                }
            } else {
                addClone(groups, point, "c2", layout.group(), shards);
                addClone(groups, point, "d2", "h", shards);
                if (isOther) {
                    addClone(groups, point, "e2", layout.group(), shards);
                }
            }
        }
        filtered.put(cycle.number(), passed);
        late.put(cycle.number(), tooLate);
        groups.forEach((group, sums) -> addRows(cycle, group, sums));
        behind.add(cycle, entries, true, windows("behind", cycle));
        also.add(cycle, entries, isOther, windows("also", cycle));
        both.add(cycle, entries, !isOther, windows("both", cycle));
    }

    private ExpectedWindows.Rows windows(String pipeline, Cycle cycle) {
        return (shard, metric, tags, field, value) -> {
            Group group = new Group(pipeline, metric, field, new TreeMap<>(tags), shard);
            add(cycle, group, "max", (name, of, timeMs) -> Row.ofDouble(name, of, timeMs, value));
        };
    }

    private static void addClone(Map<Group, Sums> groups, SimPoint point, String metric, String tag, int shards) {
        int shard = SeriesHash.shard(keyHash(metric, tag, point.group()), shards);
        add(
                groups,
                point,
                new Group("clones", metric, point.field(), new TreeMap<>(Map.of(tag, point.group())), shard));
    }

    private static void add(Map<Group, Sums> groups, SimPoint point, Group group) {
        groups.computeIfAbsent(group, key -> new Sums()).add(point.id());
    }

    /** Returns the hash of the key of a metric with one tag; see {@link io.chimera.common.wire.BodyLayout}. */
    private static long keyHash(String... texts) {
        UnsafeBuffer key = new UnsafeBuffer(new byte[128]);
        int length = 0;
        for (String text : texts) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            key.putShort(length, (short) bytes.length, ByteOrder.LITTLE_ENDIAN);
            key.putBytes(length + 2, bytes);
            length += 2 + bytes.length;
        }
        return SeriesHash.of(key, 0, length);
    }

    private void addRows(Cycle cycle, Group group, Sums sums) {
        add(cycle, group, "count", (name, tags, timeMs) -> Row.ofLong(name, tags, timeMs, sums.count));
        add(cycle, group, "sum", (name, tags, timeMs) -> Row.ofDouble(name, tags, timeMs, sums.sum));
        add(cycle, group, "max", (name, tags, timeMs) -> Row.ofDouble(name, tags, timeMs, sums.max));
    }

    /** Creates the row for a value. */
    private interface Value {
        Row row(String name, Tags tags, long timeMs);
    }

    private void add(Cycle cycle, Group group, String function, Value value) {
        RowIdentity identity = new RowIdentity(
                group.pipeline(), group.metric(), group.tags(), group.field(), function, cycle.timeMs());
        RowsConfig own = layout.rows(group.pipeline());
        RowNaming naming = new RowNaming(group.pipeline(), own.prefix(), own.tags());
        Row row = value.row(
                naming.metric(group.metric(), group.field(), function),
                naming.tags(Tags.of(group.tags())),
                cycle.timeMs());
        for (String store : layout.stores(group.pipeline())) {
            StorePlace place = StorePlace.of(store, row);
            Expected other = rows.put(place, new Expected(identity, row));
            Violation.unless(
                    other == null || other.identity.equals(identity),
                    "RowIdentity",
                    () -> String.format(
                            "Two rows have the same place: %s and %s have %s.", other.identity, identity, place));
            Violation.unless(
                    other == null,
                    "CutsMonotone",
                    () -> String.format("Two cycles have the same time: %s and %s.", row, other));
            places.computeIfAbsent(new ShardId(cycle.number(), group.shard()), none -> new ArrayList<>())
                    .add(place);
        }
    }

    /** RowExact: checks that a row written to a store is the expected row of its cycle. */
    void check(String store, Row row) {
        if (SimStores.isProbe(row)) {
            return;
        }
        Expected expected = rows.get(StorePlace.of(store, row));
        Violation.unless(
                expected != null && row.equals(expected.row),
                "RowExact",
                () -> String.format("The row is %s instead of %s.", row, expected));
    }

    /** Returns the places of the rows of a shard. */
    List<StorePlace> places(ShardId shard) {
        return places.getOrDefault(shard, List.of());
    }

    /** Returns the number of points of a cycle taken by no pipeline. */
    long filtered(long cycle) {
        return filtered.get(cycle);
    }

    /** Returns the number of late points of a cycle. */
    long late(long cycle) {
        return late.get(cycle);
    }

    /** Final check: the stores have exactly the expected rows, and rows refused permanently are in the dead letters. */
    void checkAll(SimStores stores) {
        rows.forEach((place, expected) -> stores.checkStored(place, expected.row));
        stores.checkCount(rows.keySet());
    }
}
