package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.PROCESSOR;
import static io.chimera.processor.ProcessorRig.point;
import static io.chimera.processor.ProcessorRig.points;
import static io.chimera.processor.ProcessorRig.row;
import static io.chimera.processor.ProcessorRig.timeNs;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.wire.PointBytes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules of a part: transmissions, late points, limits. */
final class PartRulesTest {
    private static final long OTHER = 0xBADL;

    @TempDir
    private Path folder;

    private ProcessorRig rig;

    private ProcessorRig rig() {
        rig = new ProcessorRig(folder);
        return rig;
    }

    private ProcessorRig rig(AggregateConfig aggregate) {
        rig = new ProcessorRig(folder, ProcessorRig.CONFIG, ProcessorRig.pipeline(aggregate));
        return rig;
    }

    @AfterEach
    void closeRig() {
        rig.close();
    }

    // The rules of a part

    @Test
    void saysOkAgainWhenTheOwnerSendsWhatIsWhole() {
        ProcessorRig rig = rig();
        QueueNodeFake q1 = rig.queue(1);
        rig.store.reachable(false); // so the shard stays staged
        rig.begin(1, q1);
        q1.send(1, 0, 0, points("a", 1));
        rig.run();
        assertThat(q1.takeAnswers()).containsExactly("OK 1/0/0");
        q1.send(1, 0, 0, points("a", 1));
        rig.run();

        assertThat(q1.takeAnswers()).containsExactly("OK 1/0/0");
        rig.store.reachable(true);
        rig.run(Duration.ofSeconds(1));
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(1);
    }

    @Test
    void startsOverWhenAnotherTransmissionBegins() {
        ProcessorRig rig = rig(ProcessorRig.functions("sum"));
        QueueNodeFake q1 = rig.queue(1);
        rig.begin(1, q1);
        QueueNodeFake.Sending first = q1.begin(1, 0, 0).data(0, points("a", 100));
        rig.run();
        QueueNodeFake.Sending second = q1.begin(1, 0, 0).data(0, points("a", 1));
        rig.run();
        first.data(0, points("a", 200)).end(); // superseded by the second transmission
        rig.run();
        assertThat(q1.takeAnswers()).isEmpty();
        second.data(0, points("a", 2)).end();
        rig.run();

        assertThat(q1.takeAnswers()).containsExactly("OK 1/0/0");
        assertThat(rig.store.values()).isEqualTo(Map.of(row("sum", "a", 1), 3.0));
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(2);
        assertThat(rig.count(ProcessorCounter.STAGING_PARTS_RESTARTED)).isEqualTo(1);
        assertThat(rig.count(ProcessorCounter.STAGING_FRAMES_IGNORED)).isEqualTo(2);
    }

    @Test
    void asksAgainForPartThatDoesNotAgreeWithItsEnd() {
        ProcessorRig rig = rig(ProcessorRig.functions("sum"));
        QueueNodeFake q1 = rig.queue(1);
        rig.begin(1, q1);
        q1.begin(1, 0, 0).data(0, points("a", 1)).spoil().end();
        rig.run();
        assertThat(q1.takeAnswers()).containsExactly("NEED 1/0/0");
        q1.begin(1, 0, 0).data(0, points("a", 1)).skipFrame().end();
        rig.run();
        assertThat(q1.takeAnswers()).containsExactly("NEED 1/0/0");
        q1.begin(1, 0, 0)
                .data(0, points("a", 1))
                .skipFrame()
                .data(0, points("a", 1))
                .end();
        rig.run();
        assertThat(q1.takeAnswers()).containsExactly("NEED 1/0/0");
        assertThat(rig.store.attempts()).isZero();

        q1.send(1, 0, 0, points("a", 1));
        rig.run();
        assertThat(q1.takeAnswers()).containsExactly("OK 1/0/0");
        assertThat(rig.store.values()).isEqualTo(Map.of(row("sum", "a", 1), 1.0));
        assertThat(rig.count(ProcessorCounter.STAGING_PARTS_MISMATCHED)).isEqualTo(3);
    }

    @Test
    void asksTheOwnerForPartThatStaysAway() {
        ProcessorRig rig = rig();
        QueueNodeFake q1 = rig.queue(1);
        QueueNodeFake q2 = rig.queue(2);
        rig.begin(1, List.of(1L, 2L), List.of(PROCESSOR, OTHER));
        rig.run();
        q1.send(1, 0, 0, points("a", 1));
        rig.run(Duration.ofMillis(4900));
        assertThat(q2.takeAnswers()).isEmpty();
        rig.run(Duration.ofMillis(300));
        assertThat(q2.takeAnswers()).containsExactly("NEED 1/0/1");
        assertThat(q1.takeAnswers()).containsExactly("OK 1/0/0");

        QueueNodeFake.Sending slow = q2.begin(1, 0, 1);
        for (int i = 0; i < 10; i++) { // no NEED while frames keep arriving
            slow.data(0, points("a", 1));
            rig.run(Duration.ofSeconds(3));
        }
        assertThat(q2.takeAnswers()).isEmpty();
        slow.end();
        rig.run();
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(11);
    }

    @Test
    void ignoresWhatIsNotItsOwnOrDoneWith() {
        ProcessorRig rig = rig();
        QueueNodeFake q1 = rig.queue(1);
        rig.begin(1, List.of(1L), List.of(PROCESSOR, OTHER));
        rig.run();
        q1.send(1, 1, 0, points("a", 1)); // a shard of another processor
        q1.send(1, 0, 1, points("a", 1)); // a part beyond the parts of the cycle
        q1.send(1, 2, 0, points("a", 1)); // a shard beyond the shards of the cycle
        q1.send(0, 0, 0, points("a", 1)); // a cycle below the low-water mark
        q1.send(-5, 0, 0, points("a", 1));
        rig.run();
        assertThat(q1.takeAnswers()).isEmpty();
        assertThat(rig.count(ProcessorCounter.STAGING_FRAMES_IGNORED)).isEqualTo(10);

        q1.send(1, 0, 0, points("a", 1));
        rig.run();
        q1.takeAnswers();
        q1.send(1, 0, 0, points("a", 1)); // committed
        rig.run();
        assertThat(q1.takeAnswers()).isEmpty();
        assertThat(rig.count(ProcessorCounter.STAGING_FRAMES_IGNORED)).isEqualTo(12);
    }

    @Test
    void stagesCyclesAheadOfItsViewUpToALimit() {
        ProcessorRig rig = rig(ProcessorRig.functions("sum"));
        QueueNodeFake q1 = rig.queue(1);
        for (long cycle = 1; cycle <= 17; cycle++) {
            q1.send(cycle, 0, 0, points("a", (double) cycle));
        }
        q1.send(1, 5, 0, points("a", 1)); // a shard that no processor will own
        q1.send(1, 0, 7, points("a", 1)); // a part that will not exist
        q1.send(Long.MAX_VALUE, 0, 0, points("a", 1));
        rig.run();
        assertThat(q1.takeAnswers()).hasSize(18);
        assertThat(rig.count(ProcessorCounter.STAGING_FRAMES_REFUSED)).isEqualTo(4);
        assertThat(rig.store.attempts()).isZero();

        for (long cycle = 1; cycle <= 17; cycle++) {
            rig.begin(cycle, q1);
            rig.run();
        }
        assertThat(rig.store.values()).hasSize(16).containsEntry(row("sum", "a", 16), 16.0);
        rig.run(Duration.ofMillis(5200));
        assertThat(q1.takeAnswers()).as("the one that was refused").containsExactly("NEED 17/0/0");
        assertThat(rig.node.status().stagedCycles()).isEqualTo(1);
    }

    @Test
    void asksAtOnceForPartThatCameBeforeTheShardWasItsOwn() {
        ProcessorRig rig = rig();
        QueueNodeFake q1 = rig.queue(1);
        rig.begin(1, List.of(1L), List.of(OTHER));
        rig.run();
        QueueNodeFake.Sending early = q1.begin(1, 0, 0).data(0, points("a", 1));
        rig.run();
        rig.assign(1, 1, List.of(1L), List.of(PROCESSOR));
        rig.run();
        early.data(0, points("a", 2)).end();
        rig.run();

        assertThat(q1.takeAnswers()).containsExactly("NEED 1/0/0");
    }

    /** Queue nodes may see an assignment earlier than the assigned processor. */
    @Test
    void asksAtOnceForPartThatWasOverBeforeTheShardWasItsOwn() {
        ProcessorRig rig = rig(ProcessorRig.functions("sum"));
        QueueNodeFake q1 = rig.queue(1);
        rig.begin(1, List.of(1L), List.of(OTHER));
        rig.run();
        q1.send(1, 0, 0, points("a", 1));
        rig.run();
        assertThat(q1.takeAnswers()).isEmpty();

        rig.assign(1, 1, List.of(1L), List.of(PROCESSOR));
        rig.run();
        assertThat(q1.takeAnswers()).containsExactly("NEED 1/0/0");

        rig.run(Duration.ofSeconds(1));
        assertThat(q1.takeAnswers()).as("asked once").isEmpty();
        q1.send(1, 0, 0, points("a", 1));
        rig.run();
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(1);
    }

    @Test
    void boundsThePartsThatItStagesOfUnknownCycles() {
        ProcessorRig rig = rig();
        QueueNodeFake q1 = rig.queue(1);
        for (int shard = 0; shard < 5; shard++) {
            for (int part = 0; part < 1000; part++) {
                q1.begin(2, shard, part).end();
                if (part % 100 == 0) {
                    rig.run();
                }
            }
        }
        rig.run();
        assertThat(q1.takeAnswers()).hasSize(4096);
        assertThat(rig.count(ProcessorCounter.STAGING_FRAMES_REFUSED)).isEqualTo(5000 - 4096);

        // The view now shows the cycle, so the limit for unknown cycles no longer applies.
        rig.begin(1, List.of(1L, 1L), List.of(PROCESSOR));
        q1.begin(1, 0, 0).end();
        q1.begin(1, 0, 1).end();
        rig.run();
        assertThat(rig.commit(1, 0)).isNotNull();
    }

    @Test
    void asksAnewForPartThatWasWholeAndHadToMakeRoom() {
        rig = new ProcessorRig(
                folder,
                ProcessorRig.config(ProcessorConfig.Warehouse.ON_HEAP, 1000),
                ProcessorRig.pipeline(ProcessorRig.functions("sum")));
        QueueNodeFake q1 = rig.queue(1);
        List<PointBytes> many = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            many.add(point("h" + i, 1));
        }
        rig.begin(1, List.of(1L, 1L), List.of(PROCESSOR));
        rig.begin(2, List.of(1L, 1L), List.of(PROCESSOR));
        q1.send(2, 0, 0, many);
        rig.run();
        assertThat(q1.takeAnswers()).containsExactly("OK 2/0/0");

        q1.send(1, 0, 0, many); // does not fit together with the younger cycle, which makes room
        q1.send(2, 0, 1, points("a", 1));
        rig.run(Duration.ofMillis(5200));
        assertThat(q1.takeAnswers()).as("the younger cycle waits").doesNotContain("NEED 2/0/0");

        q1.send(1, 0, 0, many);
        q1.send(1, 0, 1, points("a", 1));
        rig.run();
        assertThat(q1.takeAnswers()).as("the OK is taken back").contains("NEED 2/0/0", "NEED 2/0/1");
        q1.send(2, 0, 0, many);
        q1.send(2, 0, 1, points("a", 1));
        rig.run();

        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(601);
        assertThat(rig.commit(2, 0).accounts().aggregated()).isEqualTo(601);
        assertThat(rig.store.values()).containsEntry(row("sum", "a", 2), 1.0);
    }

    // Late points

    @Test
    void countsLatePointsAndWaitsForTheTimeOfTheCycle() {
        ProcessorRig rig = rig(ProcessorRig.lateAfter(Duration.ofSeconds(60)));
        QueueNodeFake q1 = rig.queue(1);
        long limitNs = timeNs(1) - Duration.ofSeconds(60).toNanos();
        List<PointBytes> points = new ArrayList<>();
        for (long timeNs : new long[] {limitNs - 1, limitNs, timeNs(1), timeNs(5)}) {
            points.add(Records.of("cpu", Map.of("host", "a"), Map.of("user", 1L), timeNs));
        }
        q1.send(1, 0, 0, points);
        rig.run();
        assertThat(q1.takeAnswers()).isEmpty();
        assertThat(rig.count(ProcessorCounter.STAGING_WAITS)).isPositive();
        assertThat(rig.node.status().slotsUsed()).isEqualTo(2);

        rig.begin(1, q1);
        rig.run();
        assertThat(rig.commit(1, 0).accounts().late()).isEqualTo(1);
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(3);
        assertThat(rig.store.values()).isEqualTo(Map.of(row("count", "a", 1), 3.0));
        assertThat(rig.node.status().slotsUsed()).isZero();
    }

    // Limits

    @Test
    void dropsPartThatDoesNotFitAndTriesItAgain() {
        rig = new ProcessorRig(
                folder,
                ProcessorRig.config(ProcessorConfig.Warehouse.OFF_HEAP, 1000),
                ProcessorRig.pipeline(ProcessorRig.functions("count")));
        QueueNodeFake q1 = rig.queue(1);
        List<PointBytes> many = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            many.add(point("h" + i, 1));
        }
        rig.begin(1, List.of(1L, 1L), List.of(PROCESSOR));
        rig.begin(2, List.of(1L, 1L), List.of(PROCESSOR));
        q1.send(2, 0, 0, many); // uses the memory needed by the older cycle
        q1.send(1, 0, 0, many);
        rig.run();
        rig.run(Duration.ofMillis(200));
        assertThat(q1.takeAnswers()).as("the younger cycle made room").containsExactly("OK 2/0/0", "NEED 1/0/0");
        assertThat(rig.count(ProcessorCounter.STAGING_PARTS_FULL)).isEqualTo(1);

        q1.send(1, 0, 1, many.subList(0, 300));
        rig.run();
        assertThat(q1.takeAnswers()).containsExactly("OK 1/0/1");
        q1.send(1, 0, 0, many);
        rig.run();
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(900);
        assertThat(q1.takeAnswers()).as("as soon as the older cycle is done").contains("NEED 2/0/0");
        q1.send(2, 0, 0, many);
        q1.send(2, 0, 1, List.of());
        rig.run();
        assertThat(rig.commit(2, 0).accounts().aggregated()).isEqualTo(600);
        assertThat(rig.node.status().warehouseBytes()).isZero();
    }

    @Test
    void asksForWhatHadNoRoomAsSoonAsAnOlderCycleIsFlushed() {
        rig = new ProcessorRig(
                folder,
                ProcessorRig.config(ProcessorConfig.Warehouse.OFF_HEAP, 1000),
                ProcessorRig.pipeline(ProcessorRig.functions("count")));
        QueueNodeFake q1 = rig.queue(1);
        List<PointBytes> many = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            many.add(point("h" + i, 1));
        }
        rig.store.failAt(row -> true);
        rig.begin(1, q1);
        rig.begin(2, q1);
        q1.send(1, 0, 0, many);
        rig.run();
        q1.send(2, 0, 0, many);
        rig.run(Duration.ofSeconds(1));
        assertThat(q1.takeAnswers()).as("there is no room").containsExactly("OK 1/0/0");

        rig.store.failAt(row -> false);
        for (int i = 0; i < 35 && rig.commit(1, 0) == null; i++) {
            rig.run(Duration.ofMillis(100));
        }
        assertThat(rig.commit(1, 0)).isNotNull();
        rig.run(Duration.ofMillis(200));
        assertThat(q1.takeAnswers()).as("sooner than after 5 s").containsExactly("NEED 2/0/0");
        q1.send(2, 0, 0, many);
        rig.run();
        assertThat(rig.commit(2, 0).accounts().aggregated()).isEqualTo(600);
    }

    @Test
    void rejectsPointWithTooLongKey() {
        ProcessorRig rig = rig(ProcessorRig.functions("sum"));
        QueueNodeFake q1 = rig.queue(1);
        rig.begin(1, q1);
        PointBytes long1 = Records.of(
                "cpu",
                Map.of("a", "x".repeat(65_000), "b", "y".repeat(65_000), "c", "z".repeat(65_000)),
                Map.of("user", 1L),
                timeNs(1));
        q1.send(1, 0, 0, List.of(long1, point("a", 2)));
        rig.run();

        assertThat(rig.commit(1, 0).accounts().rejected()).isEqualTo(1);
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(1);
        assertThat(rig.store.values()).isEqualTo(Map.of(row("sum", "a", 1), 2.0));
    }
}
