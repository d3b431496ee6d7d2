package io.chimera.common.composition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import io.chimera.common.agent.AgentThreads;
import io.chimera.common.metrics.AllocatedBytes;
import io.chimera.common.wire.PointBytes;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class CompositionTest {
    private static final TransformType[] TYPES = {Blocks.split(), Blocks.unlucky(), Blocks.counter()};

    /** Composition with two consecutive threads and cloned points. */
    private static final String MANY = """
            partitions: 4
            blocks:
              clone: { type: split }
              check: { type: unlucky, from: clone, edge: queued }
              even: { type: threshold, from: check, field: v, limit: 500 }
              count: { type: counter, from: even.above, edge: queued }
            output: [count]
            """;

    @Test
    void pointsGoFromBlockToBlockByTheirGates() {
        try (CompositionRig rig = new CompositionRig("""
                partitions: 1
                blocks:
                  clone: { type: split }
                  hot: { type: threshold, from: clone, field: v, limit: 5 }
                  low: { type: rename, from: hot.below, metric: { m: low } }
                output: [hot, low, input]
                """, false, TYPES)) {
            rig.give(7).give(3);

            assertThat(rig.left)
                    .containsExactly(
                            "m{from=a, party=a, to=b}{v=7}7@0",
                            "m{from=a, party=b, to=b}{v=7}7@0",
                            "m{from=a, to=b}{v=7}7@0",
                            "low{from=a, party=a, to=b}{v=3}3@0",
                            "low{from=a, party=b, to=b}{v=3}3@0",
                            "m{from=a, to=b}{v=3}3@0");
        }
    }

    @Test
    void whatLeavesIsTheSameWithThreadsAndWithout() {
        CompositionPlan plan = CompositionRig.plan(MANY, TYPES);
        try (CompositionRig direct = new CompositionRig(plan, false);
                CompositionRig queued = new CompositionRig(plan, true)) {
            for (int cycle = 0; cycle < 3; cycle++) {
                for (int i = 0; i < 20_000; i++) {
                    PointBytes point = new PointBytes("m")
                            .tag("from", "x".repeat(200))
                            .tag("to", "b" + i)
                            .field("v", (long) (i % 1000));
                    direct.give(point, i % 4);
                    queued.give(point, i % 4);
                }
                direct.composition.endCycle(cycle);
                queued.composition.endCycle(cycle);
            }

            assertThat(direct.left).hasSize(3 * (2 * 20_000 / 1000 * 499 + 4));
            assertThat(queued.left).isEqualTo(direct.left);
            assertThat(queued.faults).isEqualTo(direct.faults).hasSize(3 * 2 * 20);
        }
    }

    @Test
    void aBlockThatThrowsLosesItsPointAndNothingElse() {
        try (CompositionRig rig = new CompositionRig("blocks: { u: { type: unlucky } }", false, TYPES)) {
            rig.give(12).give(13).give(14);

            assertThat(rig.left).containsExactly("m{from=a, to=b}{v=12}12@0", "m{from=a, to=b}{v=14}14@0");
            assertThat(rig.faults).containsExactly("u: m{from=a, to=b}{v=13}13: 13");
        }
    }

    @Test
    void stateBelongsToAPartition() {
        try (CompositionRig rig =
                new CompositionRig("{ partitions: 3, blocks: { c: { type: counter } } }", false, TYPES)) {
            PointBytes point = new PointBytes("m").field("v", 1L);
            rig.give(point, 2).give(point, 2).give(point, 0);
            rig.composition.endCycle(5);

            assertThat(rig.left)
                    .containsExactly(
                            "m{}{count=1}0@2",
                            "m{}{count=2}0@2",
                            "m{}{count=1}0@0",
                            "total{}{count=1}5@0",
                            "total{}{count=0}5@1",
                            "total{}{count=2}5@2");
            rig.left.clear();
            rig.composition.forget(2);
            rig.composition.open(2);
            rig.give(point, 2);
            BitSet only = new BitSet();
            only.set(2);
            rig.composition.endCycle(6, only);

            assertThat(rig.left).containsExactly("m{}{count=1}0@2", "total{}{count=1}6@2");
        }
    }

    @Test
    void partitionsAreOpenedBetweenCyclesOnly() {
        try (CompositionRig rig = new CompositionRig("blocks: { c: { type: counter } }", true, TYPES)) {
            rig.give(1);

            assertThatThrownBy(() -> rig.composition.forget(0)).hasMessageContaining("end the cycle");
            rig.composition.drain();
            rig.composition.forget(0);
            rig.give(1);

            assertThat(rig.faults).singleElement().asString().contains("No state for the partition");
        }
    }

    @Test
    void whatIsNoPointIsRefusedWithTheReason() {
        TransformType wrong = Blocks.plain("wrong", (point, out) -> {
            switch ((int) point.whole(0)) {
                case 0 -> out.point(0).field("v", 1).end();
                case 1 -> out.point(0).series().end();
                case 2 -> out.point(0).series().field("v", Double.NaN).end();
                case 3 -> out.point(0).series().tag("", "x").field("v", 1).end();
                case 4 -> out.pass(1);
                case 5 ->
                    out.point(0)
                            .metric("m")
                            .tag("a", "1")
                            .tag("a", "2")
                            .field("v", 1)
                            .end();
                default ->
                    out.point(0)
                            .metric("m")
                            .tag("a", "x".repeat(70_000))
                            .field("v", 1)
                            .end();
            }
        });
        try (CompositionRig rig = new CompositionRig("blocks: { w: { type: wrong } }", false, wrong)) {
            for (int i = 0; i < 7; i++) {
                rig.give(new PointBytes("m").field("v", (long) i), 0);
            }

            assertThat(rig.left).isEmpty();
            assertThat(rig.faults).hasSize(7);
            assertThat(String.join("|", rig.faults))
                    .contains("no metric", "no field", "not finite", "empty", "gate 1", "duplicate tag", "too long");
        }
    }

    @Test
    void whatAConsumerThrowsIsNotTheFaultOfABlock() {
        Composition composition = new Composition(
                CompositionRig.plan("{ partitions: 1, blocks: { c: { type: counter } } }", TYPES),
                (point, partition) -> {
                    throw new IllegalArgumentException("full");
                },
                (block, point, fault) -> {
                    throw new AssertionError(fault);
                },
                null);
        composition.open(0);

        assertThatThrownBy(() -> composition.endCycle(1)).hasMessage("full");
        composition.close();
    }

    @Test
    void rebuildsNeedTheHorizonsOfAllBlocksBehindOneAnother() {
        TransformType day = Blocks.type("day", Duration.ofDays(1), List.of("out"), () -> (point, out) -> out.pass(0));

        assertThat(CompositionRig.plan(
                                "blocks: { a: { type: counter }, b: { type: day, from: a }, c: { type: counter } }",
                                Blocks.counter(),
                                day)
                        .horizon())
                .isEqualTo(Duration.ofDays(1).plusMinutes(10));
    }

    @Test
    void aGateFromWhichNobodyTakesBuildsNothing() {
        Transform transform = (point, out) -> {
            out.point(0).metric("").end(); // would be refused if the gate had a consumer
            out.pass(1);
        };
        TransformType careless = Blocks.type("careless", Duration.ZERO, List.of("out", "other"), () -> transform);
        try (CompositionRig rig =
                new CompositionRig("blocks: { a: { type: careless } }\noutput: [a.other]", false, careless)) {
            rig.give(7);

            assertThat(rig.faults).isEmpty();
            assertThat(rig.left).hasSize(1);
        }
    }

    @Test
    void theKeyGoesAlongThroughQueuesAndWithWhatIsMade() {
        TransformType telling = Blocks.plain("telling", (point, out) -> out.point(0)
                .metric("m")
                .field("key", (long) point.key())
                .end());
        try (CompositionRig rig = new CompositionRig("""
                blocks:
                  a: { type: copy, edge: queued }
                  b: { type: telling, from: a }
                  c: { type: telling, from: b, edge: queued }
                """, true, telling)) {
            PointFlyweight point = rig.lay(new PointBytes("m").field("v", 1L));
            rig.composition.apply(point.by(1), 0);
            rig.composition.apply(point.by(0), 0);
            rig.composition.endCycle(0);

            assertThat(rig.left).containsExactly("m{}{key=1}0@0", "m{}{key=0}0@0");
        }
    }

    @Test
    void queuesAllocateNothingInASteadyState() {
        long[] count = new long[1];
        CompositionRig points = new CompositionRig("blocks: { a: { type: copy } }", false);
        PointFlyweight point =
                points.lay(new PointBytes("cpu").tag("from", "alice").field("v", 7L));
        Composition composition = new Composition(
                CompositionRig.plan("blocks: { a: { type: copy }, b: { type: copy, from: a, edge: queued } }"),
                (given, partition) -> count[0]++,
                (block, given, fault) -> count[0] = Long.MIN_VALUE,
                new AgentThreads("test", e -> {}));

        assertThat(AllocatedBytes.of(() -> {
                    for (int i = 0; i < 20; i++) {
                        composition.apply(point, 0);
                    }
                }))
                .isZero();
        composition.drain();
        assertThat(count[0]).isPositive();
        points.close();
        composition.close();
    }

    @Test
    void allocatesNothingInASteadyState() {
        CompositionRig points = new CompositionRig("blocks: { a: { type: copy } }", false);
        PointFlyweight point = points.lay(new PointBytes("cpu")
                .tag("from", "alice")
                .tag("to", "bob")
                .field("v", 7L)
                .field("t", "text"));
        long[] sum = new long[1];
        Composition composition = new Composition(
                CompositionRig.plan("""
                        blocks:
                          clone: { type: split }
                          hot: { type: threshold, from: clone, field: v, limit: 5 }
                          low: { type: rename, from: hot, metric: { cpu: low }, tags: { to: target }, fields: { v: w } }
                          some: { type: keep, from: low, tags: { party: "a*" } }
                        """, Blocks.split()),
                (given, partition) -> sum[0] += given.whole(0),
                (block, given, fault) -> sum[0] = Long.MIN_VALUE,
                null);

        assertThat(AllocatedBytes.of(() -> {
                    for (int i = 0; i < 100; i++) {
                        composition.apply(point, 0);
                    }
                }))
                .isZero();
        assertThat(sum[0]).isPositive();
        points.close();
        composition.close();
    }

    @Test
    void allocatesNoBytesPerPointOnEitherSideOfAQueue() {
        int count = 20_000;
        CompositionRig points = new CompositionRig("blocks: { a: { type: copy } }", false);
        PointFlyweight point = points.lay(
                new PointBytes("cpu").tag("from", "alice").field("v", 7L).field("t", "text"));
        long[] taken = new long[1];
        AtomicLong behind = new AtomicLong();
        TransformType mark = Blocks.type("mark", Duration.ZERO, List.of("out"), () -> (given, out) -> {
            behind.set(Thread.currentThread().getId());
            out.point(0).series().copy("v", 0).end();
        });
        Composition composition = new Composition(
                CompositionRig.plan("""
                        blocks:
                          ahead: { type: threshold, field: v, limit: 5 }
                          behind: { type: mark, from: ahead, edge: queued }
                        """, mark),
                (given, partition) -> taken[0] += given.whole(0),
                (block, given, fault) -> taken[0] = Long.MIN_VALUE,
                new AgentThreads("test", e -> {}));
        composition.open(0);
        give(composition, point, 10 * count);
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 10 && least >= count; i++) {
            long before = AllocatedBytes.ofThreads(Thread.currentThread().getId(), behind.get());
            give(composition, point, count);
            least = Math.min(
                    least, AllocatedBytes.ofThreads(Thread.currentThread().getId(), behind.get()) - before);
        }

        assertThat(behind.get())
                .isPositive()
                .isNotEqualTo(Thread.currentThread().getId());
        assertThat(taken[0]).isPositive();
        assertThat(least)
                .as("bytes for %d points, the end of the cycle included", count)
                .isLessThan(count);
        points.close();
        composition.close();
    }

    /** Supplies points and waits for the queued block at the end. */
    private static void give(Composition composition, PointFlyweight point, int count) {
        for (int i = 0; i < count; i++) {
            composition.apply(point, 0);
        }
        composition.endCycle(1);
    }
}
