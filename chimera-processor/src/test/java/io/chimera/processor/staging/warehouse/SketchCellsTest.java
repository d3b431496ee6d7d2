package io.chimera.processor.staging.warehouse;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.GroupKey;
import io.chimera.common.wire.PointBytes;
import io.chimera.processor.Records;
import io.chimera.processor.pipeline.Function;
import io.chimera.processor.pipeline.TextCount;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SketchCellsTest {
    private static final Sketches ALL = Sketches.of(List.of(
            new Function("p50", Function.Kind.QUANTILE, -1, 0.5),
            new Function("p99", Function.Kind.QUANTILE, -1, 0.99),
            new Function("distinct", Function.Kind.DISTINCT, -1, 0),
            new Function("top", Function.Kind.TOP, -1, 10)));

    private final List<ChunkPool> pools = new ArrayList<>();
    private final GroupKey all = GroupKey.all();
    private final BodyReader body = new BodyReader();

    @AfterEach
    void close() {
        pools.forEach(ChunkPool::close);
    }

    private Warehouse warehouse(boolean offHeap, long bytesMax) {
        ChunkPool pool = new ChunkPool(offHeap, bytesMax, 100_000);
        pools.add(pool);
        return new Warehouse(pool, Plugins.NONE, ALL);
    }

    private boolean fold(Warehouse warehouse, PointBytes point) {
        UnsafeBuffer bytes = WarehouseRig.bodyOf(point);
        body.wrap(bytes, 0, bytes.capacity());
        warehouse.forget();
        while (body.nextRecord()) {
            all.of(body.seriesOfRecord());
            int group = warehouse.group(all);
            int fields = warehouse.definitions().keep(body.fieldsOfRecord());
            int plan = group == Warehouse.NONE || fields == Warehouse.NONE
                    ? Warehouse.NONE
                    : warehouse.plan(group, fields, Warehouse.NONE);
            if (plan == Warehouse.NONE || !warehouse.fold(plan, body.record())) {
                return false;
            }
        }
        return true;
    }

    private static PointBytes point(Object... namesAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return Records.of("http", Map.of("host", "a"), fields, WarehouseRig.NS);
    }

    private static MergedGroups walk(Warehouse... parts) {
        MergedGroups groups = new MergedGroups(List.of(parts), Plugins.NONE);
        assertThat(groups.nextGroup()).isTrue();
        assertThat(groups.nextField()).isTrue();
        return groups;
    }

    /** Returns the results of all sketches of all fields of a group. */
    private static List<Object> results(Warehouse... parts) {
        MergedGroups groups = new MergedGroups(List.of(parts), Plugins.NONE);
        List<Object> results = new ArrayList<>();
        assertThat(groups.nextGroup()).isTrue();
        while (groups.nextField()) {
            results.add(groups.field());
            results.add(groups.distinct());
            results.add(groups.top(100));
            for (double share = 0.1; groups.numbers() > 0 && share < 1; share += 0.1) {
                results.add(groups.quantile(share));
            }
        }
        return results;
    }

    private static PointBytes randomPoint(Random random) {
        String path = "/" + Integer.toString(Math.abs((int) (random.nextGaussian() * 300)), 36);
        return point("latency", Math.exp(2 * random.nextGaussian()), "user", random.nextLong(), "path", path);
    }

    @Test
    void keepTheSameOnTheHeapAndOffIt() {
        Warehouse on = warehouse(false, 16 << 20);
        Warehouse off = warehouse(true, 16 << 20);
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            PointBytes point = randomPoint(random);
            assertThat(fold(on, point) && fold(off, point)).isTrue();
            if (Integer.bitCount(i) == 1) {
                assertThat(results(off)).isEqualTo(results(on));
            }
        }
        assertThat(results(off)).isEqualTo(results(on));
        off.clear();
        assertThat(pools.get(1).bytesUsed()).isZero();
    }

    @Test
    void partsDoNotMatterWhileTextsAreFew() {
        Warehouse whole = warehouse(true, 16 << 20);
        Warehouse[] parts = {warehouse(true, 16 << 20), warehouse(false, 16 << 20), warehouse(true, 16 << 20)};
        Random random = new Random(2);
        for (int i = 0; i < 10_000; i++) {
            PointBytes point = point(
                    "latency", random.nextDouble() * 1e6 - 1e3, "path", "/" + random.nextInt(300), "ok", i % 2 == 0);
            fold(whole, point);
            fold(parts[random.nextInt(3)], point);
        }
        assertThat(results(parts)).isEqualTo(results(whole));
        assertThat(results(parts[2], parts[0], parts[1])).isEqualTo(results(whole));
    }

    @Test
    void aNumberIsDistinctFromOthersByItsValueAlone() {
        Warehouse warehouse = warehouse(true, 16 << 20);
        for (Object value : new Object[] {
            1L,
            1.0,
            true,
            0.0,
            -0.0,
            false,
            (1L << 53) + 1,
            (1L << 53) + 2,
            (double) (1L << 53),
            Long.MAX_VALUE,
            Long.MAX_VALUE - 1,
            Long.MIN_VALUE,
            "1",
            "",
            "1"
        }) {
            fold(warehouse, point("x", value));
        }
        assertThat(walk(warehouse).distinct()).isEqualTo(10);
    }

    @Test
    void oneNumberIsItsOwnQuantile() {
        Warehouse warehouse = warehouse(true, 16 << 20);
        fold(warehouse, point("x", 17.3));
        MergedGroups groups = walk(warehouse);
        assertThat(groups.quantile(0.5)).isEqualTo(17.3);
        assertThat(groups.quantile(0.99)).isEqualTo(17.3);
        assertThat(groups.top(10)).isEmpty();
    }

    @Test
    void textsOfAnyLengthFindRoom() {
        Warehouse warehouse = warehouse(true, 16 << 20);
        Random random = new Random(3);
        for (int i = 0; i < 5_000; i++) {
            String text = "%05d".formatted(random.nextInt(10_000)) + "x".repeat(random.nextInt(1_000));
            assertThat(fold(warehouse, point("path", text))).isTrue();
        }
        assertThat(walk(warehouse).top(10)).hasSize(10).allSatisfy(text -> assertThat(text.text())
                .hasSizeLessThanOrEqualTo(128));
    }

    @Test
    void sayWhenMemoryIsAtItsLimit() {
        Warehouse warehouse = warehouse(true, 3 << 17);
        boolean hasRoom = true;
        for (int i = 0; i < 10_000 && hasRoom; i++) {
            hasRoom = fold(
                    warehouse,
                    Records.of("http", Map.of("host", "h" + i), Map.of("path", "x".repeat(100)), WarehouseRig.NS));
        }
        assertThat(hasRoom).isFalse();
        assertThat(warehouse.fullBecause()).contains("processor.max_bytes");
        warehouse.clear();
        assertThat(pools.get(0).bytesUsed()).isZero();
    }

    @Test
    void countFrequentTexts() {
        Warehouse warehouse = warehouse(false, 16 << 20);
        for (int i = 0; i < 1_000; i++) {
            fold(warehouse, point("path", i % 10 == 0 ? "/slow" : "/fast", "x", 1L));
        }
        assertThat(walk(warehouse).top(10)).containsExactly(new TextCount("/fast", 900), new TextCount("/slow", 100));
        assertThat(walk(warehouse).top(1)).containsExactly(new TextCount("/fast", 900));
    }
}
