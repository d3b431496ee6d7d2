package io.chimera.processor.staging.warehouse;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.PointBytes;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.common.wire.encode.RecordEncoder;
import io.chimera.processor.Records;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Contract of all warehouses for memory: definitions and plans, limits, and reuse. */
abstract class WarehouseMemoryContract extends WarehouseRig {
    WarehouseMemoryContract(boolean isOffHeap) {
        super(isOffHeap);
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
        for (int i = 0; i < 20_000; i++) { // about 6 MB of definitions
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
        int fields = warehouse.definitions().keep(body.fieldsOfRecord());
        int series = warehouse.definitions().keep(body.seriesOfRecord());
        bytes.setMemory(0, bytes.capacity(), (byte) 0);

        SeriesFlyweight kept = new SeriesFlyweight()
                .wrap(
                        warehouse.definitions().buffer(series),
                        warehouse.definitions().offset(series));
        assertThat(RecordDecoder.key(kept).tags().asMap()).containsExactly(Map.entry("host", "a"));
        FieldsFlyweight set = new FieldsFlyweight()
                .wrap(
                        warehouse.definitions().buffer(fields),
                        warehouse.definitions().offset(fields));
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

    /** Folds the records of a body like a transmission, with each definition kept once. */
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
                sets.add(warehouse.definitions().keep(body.fields()));
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
                groupsAndFields.add(
                        new int[] {warehouse.group(all), warehouse.definitions().keep(body.fieldsOfRecord())});
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
        assertThat(body.fieldsOfRecord().length()).isBetween(70_000, Definitions.LENGTH_MAX);

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
        assertThat(warehouse.groups().count()).isZero();
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
        for (int round = 0; round < 5; round++) { // the JVM's own one-off allocations occur only in some rounds
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
}
