package io.chimera.common.composition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import io.chimera.common.agent.AgentThreads;
import io.chimera.common.metrics.AllocatedBytes;
import io.chimera.common.wire.PointBytes;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PooledStageTest {
    private static final int PARTITIONS = 7;

    /** Pool with state and several blocks, whose output goes to a block of one thread, then to a pool without state. */
    private static final String MIXED = """
            partitions: 7
            blocks:
              clone: { type: split }
              check: { type: unlucky, from: clone, edge: queued, threads: { pool: %1$d } }
              count: { type: counter, from: check }
              even: { type: threshold, from: count, field: count, limit: 100 }
              one: { type: copy, from: [even.above, even.without, count], edge: queued }
              two: { type: uneven, from: one, edge: queued, threads: { pool: %1$d } }
            output: [two]
            """;

    /** Takes a different time for each point, so that the threads of a pool overtake each other. */
    private static TransformType uneven() {
        return Blocks.plain("uneven", (point, out) -> {
            long spin = point.timeNs() * 31 % 97;
            for (long i = 0; i < spin; i++) {
                Thread.onSpinWait();
            }
            out.pass(0);
            if (spin % 3 == 0) {
                out.pass(0);
            }
        });
    }

    private static CompositionPlan mixed(int pool) {
        return CompositionRig.plan(MIXED.formatted(pool), Blocks.split(), Blocks.unlucky(), Blocks.counter(), uneven());
    }

    private static PointBytes point(long i) {
        return new PointBytes("m")
                .tag("from", "a" + i % 11)
                .tag("to", "x".repeat((int) (1 + i % 300)))
                .field("v", i % 1000)
                .time(i);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void outputIsTheOutputOfOneThread(int pool) {
        try (CompositionRig direct = new CompositionRig(mixed(pool), false);
                CompositionRig pooled = new CompositionRig(mixed(pool), true)) {
            BitSet some = new BitSet();
            some.set(1);
            some.set(6);
            for (int cycle = 0; cycle < 3; cycle++) {
                for (int i = 0; i < 15_000; i++) {
                    direct.give(point(i), i * 13 % PARTITIONS);
                    pooled.give(point(i), i * 13 % PARTITIONS);
                }
                direct.composition.endCycle(cycle, cycle == 1 ? some : null);
                pooled.composition.endCycle(cycle, cycle == 1 ? some : null);
                direct.composition.forget(cycle);
                direct.composition.open(cycle);
                pooled.composition.forget(cycle);
                pooled.composition.open(cycle);
            }

            assertThat(direct.left).hasSizeGreaterThan(100_000);
            assertThat(pooled.left).isEqualTo(direct.left);
            assertThat(pooled.faults)
                    .containsExactlyInAnyOrderElementsOf(direct.faults)
                    .isNotEmpty();
        }
    }

    @Test
    void aPartitionStaysOnItsThreadAndAllThreadsWork() {
        Map<Integer, Set<String>> threads = new ConcurrentHashMap<>();
        TransformType mark = Blocks.type("mark", Duration.ofMinutes(1), List.of("out"), () -> (given, out) -> {
            threads.computeIfAbsent((int) given.whole(0), key -> ConcurrentHashMap.newKeySet())
                    .add(Thread.currentThread().getName());
            out.pass(0);
        });
        try (CompositionRig rig = new CompositionRig(
                "{ partitions: 8, blocks: { a: { type: mark, edge: queued, threads: { pool: 4 } } } }", true, mark)) {
            for (int i = 0; i < 1000; i++) {
                rig.give(new PointBytes("m").field("v", (long) (i % 8)), i % 8);
            }
            rig.composition.endCycle(1);

            assertThat(threads).hasSize(8);
            assertThat(threads.values()).allMatch(names -> names.size() == 1);
            assertThat(threads.values().stream().flatMap(Set::stream).distinct())
                    .containsExactlyInAnyOrder("block-a-0", "block-a-1", "block-a-2", "block-a-3");
        }
    }

    @Test
    void blocksWithoutStateTakeTurnsAtEveryPoint() {
        Map<String, Integer> points = new ConcurrentHashMap<>();
        TransformType mark = Blocks.plain("mark", (given, out) -> {
            points.merge(Thread.currentThread().getName(), 1, Integer::sum);
            out.pass(0);
        });
        try (CompositionRig rig = new CompositionRig(
                "{ partitions: 1, blocks: { a: { type: mark, edge: queued, threads: { pool: 3 } } } }", true, mark)) {
            for (int i = 0; i < 300; i++) {
                rig.give(i);
            }
            rig.composition.drain();

            assertThat(points.values()).containsExactly(100, 100, 100);
            assertThat(rig.left).hasSize(300);
        }
    }

    /** Emits one point at the end of a cycle, although the block keeps no state. */
    private static final class Bell implements Transform {
        @Override
        public void apply(PointView point, Outlet out) {
            out.pass(0);
        }

        @Override
        public void endCycle(long timeNs, Outlet out) {
            out.point(0).metric("bell").field("v", 1L).end();
        }
    }

    @Test
    void blocksWithoutStateEndACycleOnce() {
        TransformType bell = Blocks.type("bell", Duration.ZERO, List.of("out"), Bell::new);
        try (CompositionRig rig =
                new CompositionRig("blocks: { a: { type: bell, edge: queued, threads: { pool: 4 } } }", true, bell)) {
            rig.give(1).give(2);
            rig.composition.endCycle(7);

            assertThat(rig.left)
                    .containsExactly("m{from=a, to=b}{v=1}1@0", "m{from=a, to=b}{v=2}2@0", "bell{}{v=1}7@-1");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void anErrorOfAThreadEndsTheComposition(int pool) {
        TransformType deadly = Blocks.plain("deadly", (point, out) -> {
            throw new OutOfMemoryError("test");
        });
        try (CompositionRig rig = new CompositionRig("""
                blocks:
                  a: { type: deadly, edge: queued, threads: { pool: %d } }
                  b: { type: copy, from: a, edge: queued }
                """.formatted(pool), true, deadly)) {
            rig.give(1);

            assertThatThrownBy(() -> rig.composition.endCycle(1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("block a failed")
                    .hasRootCauseMessage("test");
        }
    }

    @Test
    void poolsAllocateNoBytesPerPoint() {
        int count = 20_000;
        Set<Long> ids = ConcurrentHashMap.newKeySet();
        TransformType mark = Blocks.type("mark", Duration.ofMinutes(1), List.of("out"), () -> {
            boolean[] isKnown = new boolean[1];
            return (given, out) -> {
                if (!isKnown[0]) {
                    isKnown[0] = true;
                    ids.add(Thread.currentThread().getId());
                }
                out.point(0).series().copy("v", 0).end();
            };
        });
        long[] taken = new long[1];
        CompositionRig points = new CompositionRig("blocks: { a: { type: copy } }", false);
        PointFlyweight point = points.lay(
                new PointBytes("cpu").tag("from", "alice").field("v", 7L).field("t", "text"));
        Composition composition = new Composition(
                CompositionRig.plan(
                        "{ partitions: 4, blocks: { a: { type: mark, edge: queued, threads: { pool: 2 } } } }", mark),
                (given, partition) -> taken[0] += given.whole(0),
                (block, given, fault) -> taken[0] = Long.MIN_VALUE,
                new AgentThreads("test", e -> {}));
        for (int i = 0; i < 4; i++) {
            composition.open(i);
        }
        give(composition, point, 10 * count);
        long[] threads = threads(ids);
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 10 && least >= count; i++) {
            long before = AllocatedBytes.ofThreads(threads);
            give(composition, point, count);
            least = Math.min(least, AllocatedBytes.ofThreads(threads) - before);
        }

        assertThat(ids).hasSize(2);
        assertThat(taken[0]).isPositive();
        assertThat(least)
                .as("bytes for %d points, the end of the cycle included", count)
                .isLessThan(count);
        points.close();
        composition.close();
    }

    private static long[] threads(Set<Long> pool) {
        long[] all = new long[pool.size() + 1];
        all[0] = Thread.currentThread().getId();
        int at = 1;
        for (long id : pool) {
            all[at++] = id;
        }
        return all;
    }

    private static void give(Composition composition, PointFlyweight point, int count) {
        for (int i = 0; i < count; i++) {
            composition.apply(point, i & 3);
        }
        composition.endCycle(1);
    }
}
