package io.chimera.processor.staging.warehouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.GroupKey;
import io.chimera.common.wire.PointBytes;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.common.wire.RecordEncoder;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.processor.RangeAggregator;
import io.chimera.processor.Records;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What every warehouse has to do. */
abstract class WarehouseContract {
    static final long NS = 1_700_000_000_000_000_000L;

    /** A pool of the kind of memory that the warehouse wants. */
    abstract ChunkPool pool(long bytesMax, int groupsMax);

    abstract Warehouse warehouse(ChunkPool pool, Plugins plugins, Sketches sketches);

    final Warehouse warehouse(ChunkPool pool, Plugins plugins) {
        return warehouse(pool, plugins, Sketches.NONE);
    }

    private final ChunkPool pool = pool(64 << 20, 100_000);
    private final GroupKey all = GroupKey.all();
    private final BodyReader body = new BodyReader();

    private Warehouse warehouse() {
        return warehouse(pool, Plugins.NONE);
    }

    private boolean fold(Warehouse warehouse, GroupKey key, PointBytes point) {
        return fold(warehouse, key, bodyOf(point));
    }

    /** A body of one point. */
    static UnsafeBuffer bodyOf(PointBytes point) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[BodyLayout.LENGTH_MAX]);
        int length = point.encode(new RecordEncoder(), buffer, 0, buffer.capacity());
        assertThat(length).isPositive();
        byte[] exact = new byte[length];
        buffer.getBytes(0, exact);
        return new UnsafeBuffer(exact);
    }

    /** Folds the records of a body, without remembering anything from one to the next. */
    private boolean fold(Warehouse warehouse, GroupKey key, UnsafeBuffer bytes) {
        body.wrap(bytes, 0, bytes.capacity());
        warehouse.forget();
        while (body.nextRecord()) {
            key.of(body.seriesOfRecord());
            int group = warehouse.group(key);
            int fields = warehouse.fields(body.fieldsOfRecord());
            int plan = group == Warehouse.NONE || fields == Warehouse.NONE
                    ? Warehouse.NONE
                    : warehouse.plan(group, fields, Warehouse.NONE);
            if (plan == Warehouse.NONE || !warehouse.fold(plan, body.record())) {
                return false;
            }
        }
        return true;
    }

    private void fold(Warehouse warehouse, String host, Map<String, ?> fields) {
        assertThat(fold(warehouse, all, Records.of("cpu", Map.of("host", host), fields, NS)))
                .isTrue();
    }

    private static MergedGroups walk(Warehouse... parts) {
        return new MergedGroups(List.of(parts), Plugins.NONE);
    }

    @Test
    void aggregatesEveryFieldOfEveryGroup() {
        Warehouse warehouse = warehouse();
        for (double value : new double[] {2, 4, 4, 4, 5, 5, 7, 9}) {
            fold(warehouse, "a", Map.of("user", value));
        }
        fold(warehouse, "b", Map.of("user", 100L));

        MergedGroups groups = walk(warehouse);
        assertThat(groups.nextGroup()).isTrue();
        assertThat(groups.key().metric()).isEqualTo("cpu");
        assertThat(groups.key().tags().asMap()).containsExactly(Map.entry("host", "a"));
        assertThat(groups.nextField()).isTrue();
        assertThat(groups.field()).isEqualTo("user");
        assertThat(groups.count()).isEqualTo(8);
        assertThat(groups.min()).isEqualTo(2);
        assertThat(groups.max()).isEqualTo(9);
        assertThat(groups.sum()).isEqualTo(40);
        assertThat(groups.mean()).isEqualTo(5);
        assertThat(groups.variance()).isEqualTo(4);
        assertThat(groups.nextField()).isFalse();
        assertThat(groups.nextGroup()).isTrue();
        assertThat(groups.nextField()).isTrue();
        assertThat(groups.sum()).isEqualTo(100);
        assertThat(groups.variance()).isZero();
        assertThat(groups.nextField()).isFalse();
        assertThat(groups.nextGroup()).isFalse();
    }

    @Test
    void foldsTruthValuesAsOneAndZeroAndOnlyCountsText() {
        Warehouse warehouse = warehouse();
        fold(
                warehouse,
                "a",
                fields(
                        "ok",
                        true,
                        "note",
                        "first",
                        "big",
                        BigInteger.TWO.pow(64).subtract(BigInteger.ONE)));
        fold(warehouse, "a", fields("ok", false, "note", "second"));

        MergedGroups groups = walk(warehouse);
        groups.nextGroup();
        groups.nextField();
        assertThat(groups.field()).isEqualTo("ok");
        assertThat(groups.mean()).isEqualTo(0.5);
        groups.nextField();
        assertThat(groups.field()).isEqualTo("note");
        assertThat(groups.count()).isEqualTo(2);
        assertThat(groups.numbers()).isZero();
        groups.nextField();
        assertThat(groups.field()).isEqualTo("big");
        assertThat(groups.max()).isEqualTo(0x1p64);
    }

    @Test
    void findsFieldsInAnyOrder() {
        Warehouse warehouse = warehouse();
        fold(warehouse, "a", fields("x", 1L, "y", 10L, "a_longer_name", 100L));
        fold(warehouse, "a", fields("a_longer_name", 100L, "y", 10L, "x", 1L));
        fold(warehouse, "a", fields("y", 10L));
        fold(warehouse, "a", fields("z", 1000L, "x", 1L));

        assertThat(sums(walk(warehouse)))
                .containsExactly(
                        Map.entry("cpu{host=a}", Map.of("x", 3.0, "y", 30.0, "a_longer_name", 200.0, "z", 1000.0)));
    }

    @Test
    void keepsGroupsApartWhoseHashesAreEqual() {
        Warehouse warehouse = warehouse();
        UnsafeBuffer first = bodyOf(Records.of("cpu", Map.of("host", "a"), Map.of("x", 1L), NS));
        UnsafeBuffer second = bodyOf(Records.of("cpu", Map.of("host", "b"), Map.of("x", 2L), NS));
        int hash = BodyLayout.RESET_LENGTH + BodyLayout.KEY_HASH; // the series is what is defined first
        second.putLong(hash, first.getLong(hash));
        for (int i = 0; i < 3; i++) {
            assertThat(fold(warehouse, all, first)).isTrue();
            assertThat(fold(warehouse, all, second)).isTrue();
        }

        assertThat(sums(walk(warehouse)))
                .isEqualTo(Map.of("cpu{host=a}", Map.of("x", 3.0), "cpu{host=b}", Map.of("x", 6.0)));
    }

    @Test
    void groupsByTheTagsOfThePipeline() {
        Warehouse warehouse = warehouse();
        GroupKey byHost = GroupKey.by(List.of("host"));
        for (int i = 0; i < 10; i++) {
            fold(warehouse, byHost, Records.of("cpu", Map.of("core", "" + i, "host", "a"), Map.of("x", 1L), NS));
        }

        assertThat(sums(walk(warehouse))).isEqualTo(Map.of("cpu{host=a}", Map.of("x", 10.0)));
    }

    @Test
    void holdsManyGroupsInTheOrderInWhichTheyCame() {
        Warehouse warehouse = warehouse();
        int groups = 20_000; // the table grows thrice
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < groups; i++) {
                fold(warehouse, "host-" + i, Map.of("x", (long) i));
            }
        }

        assertThat(warehouse.groups()).isEqualTo(groups);
        MergedGroups walk = walk(warehouse);
        for (int i = 0; i < groups; i++) {
            assertThat(walk.nextGroup()).isTrue();
            assertThat(walk.key().tags().get("host")).isEqualTo("host-" + i);
            walk.nextField();
            assertThat(walk.sum()).isEqualTo(2.0 * i);
        }
        assertThat(walk.nextGroup()).isFalse();
    }

    @Test
    void mergesPartsAsIfTheyWereOne() {
        Warehouse one = warehouse();
        Warehouse[] parts = {warehouse(), warehouse(), warehouse()};
        Random random = new Random(7);
        for (int i = 0; i < 3_000; i++) {
            Map<String, ?> fields =
                    fields("x", random.nextGaussian() + 1e6, "y" + random.nextInt(4), random.nextDouble());
            String host = "h" + random.nextInt(20);
            fold(one, host, fields);
            fold(parts[random.nextInt(3)], host, fields);
        }

        Map<String, double[]> expected = statistics(walk(one));
        Map<String, double[]> merged = statistics(walk(parts));
        assertThat(merged.keySet()).isEqualTo(expected.keySet());
        merged.forEach((key, actual) -> {
            double[] wanted = expected.get(key);
            for (int i = 0; i < wanted.length; i++) {
                assertThat(actual[i]).as(key + " " + i).isCloseTo(wanted[i], within(1e-9 * Math.abs(wanted[i]) + 1e-9));
            }
        });
        assertThat(statistics(walk(parts)))
                .usingRecursiveComparison()
                .as("a second walk gives the same bits")
                .isEqualTo(merged);
    }

    @Test
    void staysAccurateFarFromZero() {
        Warehouse warehouse = warehouse();
        double far = 1e15;
        for (int i = 0; i < 1000; i++) {
            fold(warehouse, "a", Map.of("x", far + (i % 2 == 0 ? 1 : -1)));
        }
        for (double value : new double[] {1e16, 1, -1e16}) {
            fold(warehouse, "b", Map.of("x", value));
        }

        MergedGroups groups = walk(warehouse);
        groups.nextGroup();
        groups.nextField();
        assertThat(groups.variance()).isCloseTo(1, within(1e-3));
        assertThat(groups.mean()).isCloseTo(far, within(0.5));
        groups.nextGroup();
        groups.nextField();
        assertThat(groups.sum()).as("a plain sum loses the one").isEqualTo(1);
    }

    @Test
    void keepsNamesAndGroupsWhenItForgetsWhatWasDefined() {
        Warehouse warehouse = warehouse();
        fold(warehouse, "a", fields("x", 1L, "y", 2.0));
        warehouse.forget();
        long used = pool.bytesUsed();
        assertThat(used).as("cells and table").isEqualTo(2L * ChunkPool.CHUNK_LENGTH);

        fold(warehouse, "a", fields("y", 2.0, "x", 1L));
        warehouse.forget();

        assertThat(pool.bytesUsed()).isEqualTo(used);
        assertThat(sums(walk(warehouse))).isEqualTo(Map.of("cpu{host=a}", Map.of("x", 2.0, "y", 4.0)));
    }

    @Test
    void setsOfFieldsInEveryOrderTakeNoMoreThanTheirNames() {
        Warehouse warehouse = warehouse(pool(1 << 20, 2), Plugins.NONE);
        List<String> names = new ArrayList<>();
        Map<String, Double> expected = new TreeMap<>();
        for (int i = 0; i < 12; i++) {
            names.add("a_name_of_a_field_" + i);
        }
        Random random = new Random(3);
        for (int i = 0; i < 20_000; i++) { // some 6 MB of definitions
            Collections.shuffle(names, random);
            Map<String, Object> fields = new LinkedHashMap<>();
            for (String name : names) {
                fields.put(name, (long) i);
                expected.merge(name, (double) i, Double::sum);
            }
            fold(warehouse, "a", fields);
        }

        assertThat(sums(walk(warehouse))).isEqualTo(Map.of("cpu{host=a}", expected));
    }

    @Test
    void keepsDefinitionsUntilTheyAreForgotten() {
        Warehouse warehouse = warehouse();
        UnsafeBuffer bytes = bodyOf(Records.of("cpu", Map.of("host", "a"), fields("x", 1L, "y", 2.0), NS));
        body.wrap(bytes, 0, bytes.capacity()).nextRecord();
        int fields = warehouse.fields(body.fieldsOfRecord());
        int series = warehouse.series(body.seriesOfRecord());
        bytes.setMemory(0, bytes.capacity(), (byte) 0);

        SeriesFlyweight kept =
                new SeriesFlyweight().wrap(warehouse.definitionBuffer(series), warehouse.definitionOffset(series));
        assertThat(RecordDecoder.key(kept).tags().asMap()).containsExactly(Map.entry("host", "a"));
        FieldsFlyweight set =
                new FieldsFlyweight().wrap(warehouse.definitionBuffer(fields), warehouse.definitionOffset(fields));
        assertThat(RecordDecoder.text(set.buffer(), set.name(set.first()), 1)).isEqualTo("x");
        warehouse.forget();
        assertThat(pool.bytesUsed()).isZero();
    }

    @Test
    void knowsThePlanOfEachOfFewSetsOfFieldsAndMakesThoseOfManyAnew() {
        Warehouse warehouse = warehouse();
        Map<String, Double> expected = new TreeMap<>();
        for (int sets : new int[] {3, 40}) {
            RecordEncoder encoder = new RecordEncoder();
            UnsafeBuffer bytes = new UnsafeBuffer(new byte[1 << 20]);
            encoder.open(bytes, 0, bytes.capacity());
            for (int i = 0; i < 2000; i++) {
                PointBytes point = new PointBytes("cpu").tag("host", "a").time(NS);
                for (int field = i % sets; field >= 0; field -= 1 + i % 3) {
                    point.field("f" + field, (double) i);
                    expected.merge("f" + field, (double) i, Double::sum);
                }
                assertThat(point.encode(encoder)).isZero();
            }
            foldWhole(warehouse, new UnsafeBuffer(bytes, 0, encoder.position()));
        }

        assertThat(sums(walk(warehouse))).isEqualTo(Map.of("cpu{host=a}", expected));
        assertThat(pool.bytesUsed())
                .as("cells, table, and definitions with plans")
                .isEqualTo(3L * ChunkPool.CHUNK_LENGTH);
    }

    /** Folds the records of a body as a transmission is folded: what it defines is kept once. */
    private void foldWhole(Warehouse warehouse, UnsafeBuffer bytes) {
        body.wrap(bytes, 0, bytes.capacity());
        warehouse.forget();
        List<Integer> sets = new ArrayList<>();
        int group = Warehouse.NONE;
        int guess = Warehouse.NONE;
        for (int kind = body.step(); kind >= 0; kind = body.step()) {
            if (kind == BodyLayout.SERIES) {
                all.of(body.series());
                group = warehouse.group(all);
            } else if (kind == BodyLayout.FIELDS) {
                sets.add(warehouse.fields(body.fields()));
            } else if (kind == BodyLayout.RECORD) {
                guess = warehouse.plan(group, sets.get(body.record().fields()), guess);
                assertThat(warehouse.fold(guess, body.record())).isTrue();
            }
        }
    }

    @Test
    void takesTheGuessForAPlanOnlyWhereItIsRight() {
        Warehouse warehouse = warehouse();
        List<int[]> groupsAndFields = new ArrayList<>();
        for (Map<String, Object> fields : List.of(fields("x", 1L), fields("x", 1.0), fields("y", 1L))) {
            for (String host : List.of("a", "b")) {
                UnsafeBuffer bytes = bodyOf(Records.of("cpu", Map.of("host", host), fields, NS));
                body.wrap(bytes, 0, bytes.capacity()).nextRecord();
                all.of(body.seriesOfRecord());
                groupsAndFields.add(new int[] {warehouse.group(all), warehouse.fields(body.fieldsOfRecord())});
            }
        }
        int[] plans = groupsAndFields.stream()
                .mapToInt(pair -> warehouse.plan(pair[0], pair[1], Warehouse.NONE))
                .toArray();
        assertThat(plans).doesNotHaveDuplicates().doesNotContain(Warehouse.NONE);
        for (int guess : plans) {
            for (int i = 0; i < plans.length; i++) {
                int[] pair = groupsAndFields.get(i);
                assertThat(warehouse.plan(pair[0], pair[1], guess)).isEqualTo(plans[i]);
            }
        }
    }

    @Test
    void takesAsManyFieldsAsADefinitionHolds() {
        Warehouse warehouse = warehouse();
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < 8_000; i++) {
            fields.put("f" + i, (long) i);
        }
        UnsafeBuffer bytes = bodyOf(Records.of("cpu", Map.of("host", "a"), fields, NS));
        body.wrap(bytes, 0, bytes.capacity()).nextRecord();
        assertThat(body.fieldsOfRecord().length()).isBetween(70_000, Warehouse.DEFINITION_LENGTH_MAX);

        assertThat(fold(warehouse, all, bytes)).isTrue();
        assertThat(sums(walk(warehouse)).get("cpu{host=a}")).hasSize(8_000).containsEntry("f7999", 7999.0);
    }

    @Test
    void refusesBeyondItsGroupsAndSaysWhy() {
        Warehouse warehouse = warehouse(pool(1 << 20, 2), Plugins.NONE);
        fold(warehouse, "a", Map.of("x", 1L));
        fold(warehouse, "b", Map.of("x", 1L));

        assertThat(fold(warehouse, all, Records.of("cpu", Map.of("host", "c"), Map.of("x", 1L), NS)))
                .isFalse();
        assertThat(warehouse.fullBecause()).isEqualTo("processor.max_groups = 2");
    }

    @Test
    void refusesBeyondItsBytesAndGivesThemBack() {
        ChunkPool small = pool(1 << 20, 1_000_000);
        Warehouse warehouse = warehouse(small, Plugins.NONE);
        int taken = 0;
        while (fold(warehouse, all, Records.of("cpu", Map.of("host", "h" + taken), Map.of("x", 1L), NS))) {
            taken++;
        }
        assertThat(taken).isBetween(4_000, 10_000);
        assertThat(warehouse.fullBecause()).isEqualTo("processor.max_bytes = 1048576");
        assertThat(small.bytesUsed()).isLessThanOrEqualTo(1 << 20);

        warehouse.clear();
        assertThat(small.bytesUsed()).isZero();
        assertThat(warehouse.groups()).isZero();
        assertThat(walk(warehouse).nextGroup()).isFalse();
        fold(warehouse, "again", Map.of("x", 1L));
        assertThat(sums(walk(warehouse))).isEqualTo(Map.of("cpu{host=again}", Map.of("x", 1.0)));
    }

    @Test
    void usesItsMemoryAgain() {
        Warehouse warehouse = warehouse();
        for (int round = 0; round < 50; round++) {
            for (int i = 0; i < 500; i++) {
                fold(warehouse, "h" + i, Map.of("x", 1L));
            }
            warehouse.clear();
        }
        assertThat(pool.bytesMade()).isLessThanOrEqualTo(4L * ChunkPool.CHUNK_LENGTH);
    }

    @Test
    void takesTheLongestKey() {
        Warehouse warehouse = warehouse();
        String host = "h".repeat(60_000);
        fold(warehouse, host, Map.of("x", 1L));
        fold(warehouse, host, Map.of("x", 1L));

        assertThat(sums(walk(warehouse))).isEqualTo(Map.of("cpu{host=" + host + "}", Map.of("x", 2.0)));
    }

    @Test
    void letsPluginsAggregate() {
        Plugins plugins = new Plugins(List.of(new RangeAggregator()), List.of(new RangeAggregator()));
        Warehouse[] parts = {warehouse(pool, plugins), warehouse(pool, plugins)};
        for (int i = 0; i < 200; i++) {
            fold(parts[i % 2], "a", fields("x", (double) i, "text", "t"));
        }
        fold(parts[1], "b", Map.of("x", 5L));

        MergedGroups groups = new MergedGroups(List.of(parts), plugins);
        groups.nextGroup();
        groups.nextField();
        assertThat(groups.plugin(0)).isEqualTo(199);
        groups.nextField();
        assertThat(groups.numbers()).isZero();
        groups.nextGroup();
        groups.nextField();
        assertThat(groups.plugin(0)).isZero();
        for (Warehouse part : parts) {
            part.clear();
        }
        assertThat(pool.bytesUsed()).isZero();
    }

    @Test
    void foldsWithoutAllocating() {
        Warehouse warehouse = warehouse();
        List<UnsafeBuffer> records = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            records.add(bodyOf(Records.of(
                    "cpu",
                    Map.of("host", "host-" + i, "region", "eu"),
                    fields("user", i * 0.5, "system", (long) i),
                    NS)));
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        foldAll(warehouse, records, 20);

        long leastAllocated = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) { // the JVM's own one-off allocations are not in all of them
            long before = threads.getCurrentThreadAllocatedBytes();
            foldAll(warehouse, records, 50);
            leastAllocated = Math.min(leastAllocated, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(leastAllocated).as("bytes allocated for 50,000 points").isZero();
    }

    private void foldAll(Warehouse warehouse, List<UnsafeBuffer> records, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < records.size(); i++) {
                fold(warehouse, all, records.get(i));
            }
        }
    }

    /** Fields in the given order. */
    static Map<String, Object> fields(Object... namesAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }

    private static Map<String, Map<String, Double>> sums(MergedGroups groups) {
        Map<String, Map<String, Double>> sums = new TreeMap<>();
        while (groups.nextGroup()) {
            Map<String, Double> fields = new TreeMap<>();
            while (groups.nextField()) {
                fields.put(groups.field(), groups.sum());
            }
            assertThat(sums.put(groups.key().metric() + groups.key().tags().asMap(), fields))
                    .isNull();
        }
        return sums;
    }

    private static Map<String, double[]> statistics(MergedGroups groups) {
        Map<String, double[]> all = new TreeMap<>();
        while (groups.nextGroup()) {
            while (groups.nextField()) {
                double[] values = {
                    groups.count(), groups.min(), groups.max(), groups.sum(), groups.mean(), groups.variance()
                };
                assertThat(all.put(groups.key().tags().get("host") + "." + groups.field(), values))
                        .isNull();
            }
        }
        return all;
    }
}
