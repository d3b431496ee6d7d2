package io.chimera.processor.staging.warehouse;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.GroupKey;
import io.chimera.common.wire.PointBytes;
import io.chimera.common.wire.encode.RecordEncoder;
import io.chimera.processor.Records;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;

/** A warehouse with a kind of memory, for tests of both kinds. */
abstract class WarehouseRig {
    static final long NS = 1_700_000_000_000_000_000L;

    final ChunkPool pool;
    final GroupKey all = GroupKey.all();
    final BodyReader body = new BodyReader();
    private final boolean isOffHeap;

    WarehouseRig(boolean isOffHeap) {
        this.isOffHeap = isOffHeap;
        pool = pool(64 << 20, 100_000);
    }

    final ChunkPool pool(long bytesMax, int groupsMax) {
        return new ChunkPool(isOffHeap, bytesMax, groupsMax);
    }

    final Warehouse warehouse(ChunkPool from, Plugins plugins) {
        return warehouse(from, plugins, Sketches.NONE);
    }

    final Warehouse warehouse(ChunkPool from, Plugins plugins, Sketches sketches) {
        return new Warehouse(from, plugins, sketches);
    }

    final Warehouse warehouse() {
        return warehouse(pool, Plugins.NONE);
    }

    final boolean fold(Warehouse warehouse, GroupKey key, PointBytes point) {
        return fold(warehouse, key, bodyOf(point));
    }

    /** Returns the body of a single point. */
    static UnsafeBuffer bodyOf(PointBytes point) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[BodyLayout.LENGTH_MAX]);
        int length = point.encode(new RecordEncoder(), buffer, 0, buffer.capacity());
        assertThat(length).isPositive();
        byte[] exact = new byte[length];
        buffer.getBytes(0, exact);
        return new UnsafeBuffer(exact);
    }

    /** Folds the records of a body without keeping definitions between records. */
    final boolean fold(Warehouse warehouse, GroupKey key, UnsafeBuffer bytes) {
        body.wrap(bytes, 0, bytes.capacity());
        warehouse.forget();
        while (body.nextRecord()) {
            key.of(body.seriesOfRecord());
            int group = warehouse.group(key);
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

    final void fold(Warehouse warehouse, String host, Map<String, ?> fields) {
        assertThat(fold(warehouse, all, Records.of("cpu", Map.of("host", host), fields, NS)))
                .isTrue();
    }

    static MergedGroups walk(Warehouse... parts) {
        return new MergedGroups(List.of(parts), Plugins.NONE);
    }

    /** Returns fields in the given order. */
    static Map<String, Object> fields(Object... namesAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }

    static Map<String, Map<String, Double>> sums(MergedGroups groups) {
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

    static Map<String, double[]> statistics(MergedGroups groups) {
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
