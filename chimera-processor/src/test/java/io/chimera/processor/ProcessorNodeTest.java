package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.PROCESSOR;
import static io.chimera.processor.ProcessorRig.timeMs;
import static io.chimera.processor.ProcessorRig.timeNs;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.Row;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.config.AggregateConfig;
import io.chimera.common.config.PipelineConfig;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.RecordFlyweight;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The processor from channel to store and commit, rule by rule. */
final class ProcessorNodeTest {
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

    private static RecordFlyweight point(String host, double value) {
        return Records.of("cpu", Map.of("host", host), Map.of("user", value), timeNs(1));
    }

    private static List<RecordFlyweight> points(String host, double... values) {
        List<RecordFlyweight> points = new ArrayList<>();
        for (double value : values) {
            points.add(point(host, value));
        }
        return points;
    }

    private static String row(String function, String host, long cycle) {
        return "cpu.user." + function + "{host=" + host + "}@" + timeMs(cycle);
    }

    // The way of a shard

    @Test
    void flushesAndCommitsShardOnceEveryPartIsWhole() {
        ProcessorRig rig = rig();
        QueueNodeFake q1 = rig.queue(1);
        QueueNodeFake q2 = rig.queue(2);
        rig.begin(1, List.of(1L, 2L), List.of(PROCESSOR));

        q1.send(1, 0, 0, points("a", 2, 4, 4, 4));
        rig.run();
        assertThat(rig.store.attempts()).isZero();
        q2.begin(1, 0, 1).data(0, points("a", 5, 5, 7, 9)).end(3);
        rig.run();

        assertThat(rig.store.values())
                .isEqualTo(Map.of(
                        row("count", "a", 1), 8.0,
                        row("min", "a", 1), 2.0,
                        row("max", "a", 1), 9.0,
                        row("sum", "a", 1), 40.0,
                        row("mean", "a", 1), 5.0,
                        row("variance", "a", 1), 4.0));
        assertThat(rig.store.rows()).allSatisfy(row -> assertThat(row.isLong())
                .isEqualTo(row.metric().endsWith(".count")));
        assertThat(q1.takeAnswers()).containsExactly("OK 1/0/0");
        assertThat(q2.takeAnswers()).containsExactly("OK 1/0/1");
        ShardCommit commit = rig.commit(1, 0);
        assertThat(commit.session()).isEqualTo(PROCESSOR);
        assertThat(commit.aggregated()).isEqualTo(8);
        assertThat(commit.filtered()).isEqualTo(3);
        assertThat(commit.rows()).isEqualTo(6);
        assertThat(rig.node.status().stagedCycles()).isZero();
        assertThat(rig.node.status().warehouseBytes()).isZero();
        assertThat(rig.count(ProcessorCounter.FLUSHER_SHARDS_COMMITTED)).isEqualTo(1);
    }

    @Test
    void commitsShardWithoutAnyRecord() {
        ProcessorRig rig = rig();
        QueueNodeFake q1 = rig.queue(1);
        rig.begin(1, q1);
        q1.begin(1, 0, 0).end(5);
        rig.run();

        assertThat(rig.commit(1, 0).filtered()).isEqualTo(5);
        assertThat(rig.commit(1, 0).rows()).isZero();
        assertThat(rig.store.attempts()).isZero();
    }

    @Test
    void countsEachPointOnceHoweverManyPipelinesTakeIt() {
        SortedMap<String, PipelineConfig> two = new TreeMap<>();
        two.put(
                "by",
                new PipelineConfig(
                        null,
                        null,
                        new AggregateConfig(List.of("host"), null, List.of("sum"), null),
                        List.of("memory"),
                        null));
        two.put(
                "total",
                new PipelineConfig(
                        null,
                        null,
                        new AggregateConfig(null, List.of("host"), List.of("sum"), null),
                        List.of("memory"),
                        null));
        rig = new ProcessorRig(folder, ProcessorRig.CONFIG, two);
        QueueNodeFake q1 = rig.queue(1);
        rig.begin(1, q1);
        List<RecordFlyweight> points = List.of(point("a", 1), point("b", 2), point("a", 3));
        q1.begin(1, 0, 0).data(0, points).data(1, false, points).end();
        rig.run();

        assertThat(rig.store.values())
                .isEqualTo(Map.of(
                        row("sum", "a", 1),
                        4.0,
                        row("sum", "b", 1),
                        2.0,
                        "cpu.user.sum{chimera=total}@" + timeMs(1),
                        6.0));
        assertThat(rig.commit(1, 0).aggregated()).isEqualTo(3);
    }

    @Test
    void writesRowsOfPluginsAndNoRowForNumbersOfText() {
        ProcessorRig rig = rig(ProcessorRig.functions("range", "count", "max"));
        QueueNodeFake q1 = rig.queue(1);
        QueueNodeFake q2 = rig.queue(2);
        rig.begin(1, List.of(1L, 2L), List.of(PROCESSOR));
        q1.send(1, 0, 0, points("a", 1, 5));
        q2.send(
                1,
                0,
                1,
                List.of(point("a", -5), Records.of("log", Map.of("host", "a"), Map.of("line", "text"), timeNs(1))));
        rig.run();

        assertThat(rig.store.values())
                .isEqualTo(Map.of(
                        row("range", "a", 1),
                        10.0,
                        row("count", "a", 1),
                        3.0,
                        row("max", "a", 1),
                        5.0,
                        "log.line.count{host=a}@" + timeMs(1),
                        1.0));
    }

    @Test
    void writesTheSameBitsHoweverTheRecordsWereSent() {
        List<List<Row>> all = new ArrayList<>();
        for (int run = 0; run < 4; run++) {
            ProcessorConfig.Warehouse where =
                    run % 2 == 0 ? ProcessorConfig.Warehouse.ON_HEAP : ProcessorConfig.Warehouse.OFF_HEAP;
            rig = new ProcessorRig(
                    folder,
                    ProcessorRig.config(where, 100_000),
                    ProcessorRig.pipeline(ProcessorRig.functions("sum", "mean", "variance", "range")));
            QueueNodeFake[] queues = {rig.queue(1), rig.queue(2)};
            rig.begin(1, List.of(1L, 2L), List.of(PROCESSOR));
            for (int part = 1; part >= 0; part--) { // the order in which parts come does not matter
                int turn = (part + run / 2) % 2;
                QueueNodeFake.Sending sending = queues[turn].begin(1, 0, turn);
                Random random = new Random(turn);
                for (int i = 0; i < 40; i++) {
                    sending.data(0, points("h" + random.nextInt(5), random.nextGaussian() * 1e9, random.nextDouble()));
                }
                sending.end();
            }
            rig.run();
            all.add(rig.store.rows());
        }
        assertThat(all.get(0)).hasSize(20);
        assertThat(all).allSatisfy(rows -> assertThat(rows).isEqualTo(all.get(0)));
    }

    @Test
    void givesBackAllCredit() {
        ProcessorRig rig = rig(ProcessorRig.functions("count"));
        QueueNodeFake q1 = rig.queue(1);
        rig.begin(1, q1);
        RecordFlyweight large =
                Records.of("cpu", Map.of("host", "a"), Map.of("user", 1L, "note", "x".repeat(60_000)), timeNs(1));
        QueueNodeFake.Sending sending = q1.begin(1, 0, 0);
        for (int i = 0; i < 200; i++) { // 12 MB: three times the credit, and more than all slots
            sending.data(0, List.of(large));
        }
        sending.end();
        for (int i = 0; i < 100 && !q1.flush(); i++) {
            rig.run();
        }
        rig.run();

        assertThat(rig.commit(1, 0).aggregated()).isEqualTo(200);
    }

    // The rules of a part

    @Test
    void saysOkAgainToWhoeverSendsWhatIsWhole() {
        ProcessorRig rig = rig();
        QueueNodeFake q1 = rig.queue(1);
        QueueNodeFake q2 = rig.queue(2);
        rig.store.reachable(false); // so that the shard stays
        rig.begin(1, q1);
        q1.send(1, 0, 0, points("a", 1));
        rig.run();
        q2.send(1, 0, 0, points("a", 1));
        rig.run();

        assertThat(q1.takeAnswers()).containsExactly("OK 1/0/0");
        assertThat(q2.takeAnswers()).containsExactly("OK 1/0/0");
        rig.store.reachable(true);
        rig.run(Duration.ofSeconds(1));
        assertThat(rig.commit(1, 0).aggregated()).isEqualTo(1);
    }

    @Test
    void startsOverWhenAnotherTransmissionBegins() {
        ProcessorRig rig = rig(ProcessorRig.functions("sum"));
        QueueNodeFake q1 = rig.queue(1);
        QueueNodeFake q2 = rig.queue(2);
        rig.begin(1, q1);
        QueueNodeFake.Sending first = q1.begin(1, 0, 0).data(0, points("a", 100));
        rig.run();
        QueueNodeFake.Sending second = q2.begin(1, 0, 0).data(0, points("a", 1));
        rig.run();
        first.data(0, points("a", 200)).end(); // of no use any more
        rig.run();
        assertThat(q1.takeAnswers()).isEmpty();
        second.data(0, points("a", 2)).end();
        rig.run();

        assertThat(q2.takeAnswers()).containsExactly("OK 1/0/0");
        assertThat(rig.store.values()).isEqualTo(Map.of(row("sum", "a", 1), 3.0));
        assertThat(rig.commit(1, 0).aggregated()).isEqualTo(2);
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
        for (int i = 0; i < 10; i++) { // as long as something comes, nobody is asked
            slow.data(0, points("a", 1));
            rig.run(Duration.ofSeconds(3));
        }
        assertThat(q2.takeAnswers()).isEmpty();
        slow.end();
        rig.run();
        assertThat(rig.commit(1, 0).aggregated()).isEqualTo(11);
    }

    @Test
    void ignoresWhatIsNotItsOwnOrDoneWith() {
        ProcessorRig rig = rig();
        QueueNodeFake q1 = rig.queue(1);
        rig.begin(1, List.of(1L), List.of(PROCESSOR, OTHER));
        rig.run();
        q1.send(1, 1, 0, points("a", 1)); // another's shard
        q1.send(1, 0, 1, points("a", 1)); // a part that the cycle has not
        q1.send(1, 2, 0, points("a", 1)); // a shard that the cycle has not
        q1.send(0, 0, 0, points("a", 1)); // a cycle below the low mark
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
        q1.send(1, 5, 0, points("a", 1)); // a shard that will turn out to be nobody's
        q1.send(1, 0, 7, points("a", 1)); // and such a part
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

        rig.begin(1, List.of(1L, 1L), List.of(PROCESSOR)); // which is vouched for, and takes the way of all cycles
        q1.begin(1, 0, 0).end();
        q1.begin(1, 0, 1).end();
        rig.run();
        assertThat(rig.commit(1, 0)).isNotNull();
    }

    // Late points

    @Test
    void countsLatePointsAndWaitsForTheTimeOfTheCycle() {
        ProcessorRig rig = rig(ProcessorRig.lateAfter(Duration.ofSeconds(60)));
        QueueNodeFake q1 = rig.queue(1);
        long limitNs = timeNs(1) - Duration.ofSeconds(60).toNanos();
        List<RecordFlyweight> points = new ArrayList<>();
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
        assertThat(rig.commit(1, 0).late()).isEqualTo(1);
        assertThat(rig.commit(1, 0).aggregated()).isEqualTo(3);
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
        List<RecordFlyweight> many = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            many.add(point("h" + i, 1));
        }
        rig.begin(1, List.of(1L, 1L), List.of(PROCESSOR));
        rig.begin(2, List.of(1L, 1L), List.of(PROCESSOR));
        q1.send(2, 0, 0, many); // takes the room that the older cycle needs
        q1.send(1, 0, 0, many);
        rig.run();
        assertThat(q1.takeAnswers()).containsExactly("OK 2/0/0");
        assertThat(rig.count(ProcessorCounter.STAGING_PARTS_FULL)).isEqualTo(1);

        q1.send(1, 0, 1, many.subList(0, 300));
        rig.run(Duration.ofMillis(5200));
        assertThat(q1.takeAnswers()).contains("OK 1/0/1", "NEED 1/0/0", "NEED 2/0/0");
        q1.send(1, 0, 0, many);
        rig.run();
        assertThat(rig.commit(1, 0).aggregated()).isEqualTo(900);
        q1.send(2, 0, 0, many);
        q1.send(2, 0, 1, List.of());
        rig.run();
        assertThat(rig.commit(2, 0).aggregated()).isEqualTo(600);
        assertThat(rig.node.status().warehouseBytes()).isZero();
    }

    @Test
    void rejectsPointWithTooLongKey() {
        ProcessorRig rig = rig(ProcessorRig.functions("sum"));
        QueueNodeFake q1 = rig.queue(1);
        rig.begin(1, q1);
        RecordFlyweight long1 = Records.of(
                "cpu",
                Map.of("a", "x".repeat(65_000), "b", "y".repeat(65_000), "c", "z".repeat(65_000)),
                Map.of("user", 1L),
                timeNs(1));
        q1.send(1, 0, 0, List.of(long1, point("a", 2)));
        rig.run();

        assertThat(rig.commit(1, 0).rejected()).isEqualTo(1);
        assertThat(rig.commit(1, 0).aggregated()).isEqualTo(1);
        assertThat(rig.store.values()).isEqualTo(Map.of(row("sum", "a", 1), 2.0));
    }

    // Connections

    @Test
    void introducesItselfAndClosesConnectionsOfOtherKinds() {
        ProcessorRig rig = rig();
        QueueNodeFake good = rig.queue(1);
        QueueNodeFake otherCluster = rig.queue(Hello.of(2, "elsewhere"));
        QueueNodeFake otherVersion = rig.queue(new Hello(3, 2, ProcessorRig.CLUSTER));
        rig.run();

        assertThat(good.other()).isEqualTo(Hello.of(PROCESSOR, ProcessorRig.CLUSTER));
        assertThat(otherCluster.closed()).isNotNull();
        assertThat(otherVersion.closed()).isNotNull();
        assertThat(good.closed()).isNull();
        good.send(new UnsafeBuffer(new byte[7]));
        rig.run();
        assertThat(good.closed()).isNotNull();
        assertThat(rig.count(ProcessorCounter.EXTRACTOR_CONNECTIONS_REFUSED)).isEqualTo(3);
        assertThat(rig.node.status().queueNodes()).isZero();
    }

    @Test
    void announcesItselfAndIsReadyWhenTheClusterHasHeardIt() {
        ProcessorRig rig = rig();
        assertThat(rig.cluster.truth().processors()).singleElement().satisfies(self -> {
            assertThat(self.session()).isEqualTo(PROCESSOR);
            assertThat(self.address()).isEqualTo("processor:9602");
        });
        assertThat(rig.node.status().notReady()).isEmpty();
        rig.link.disconnect();
        assertThat(rig.node.status().notReady()).contains("no connection to the coordinator");
        rig.link.reconnect();
        rig.node.leave();
        assertThat(rig.node.status().notReady()).contains("leaving");
    }
}
