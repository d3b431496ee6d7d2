package io.chimera.processor.staging.warehouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.GroupKey;
import io.chimera.processor.RangeAggregator;
import io.chimera.processor.Records;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Contract of all warehouses for groups and their values; {@link WarehouseMemoryContract} covers memory. */
abstract class WarehouseContract extends WarehouseRig {
    WarehouseContract(boolean isOffHeap) {
        super(isOffHeap);
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
        int hash = BodyLayout.RESET_LENGTH + BodyLayout.KEY_HASH; // the first definition is the series
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
        int groups = 20_000; // the table grows three times
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < groups; i++) {
                fold(warehouse, "host-" + i, Map.of("x", (long) i));
            }
        }

        assertThat(warehouse.groups().count()).isEqualTo(groups);
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
}
