package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.PROCESSOR;
import static io.chimera.processor.ProcessorRig.point;
import static io.chimera.processor.ProcessorRig.points;
import static io.chimera.processor.ProcessorRig.row;
import static io.chimera.processor.ProcessorRig.timeMs;
import static io.chimera.processor.ProcessorRig.timeNs;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.Row;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.PointBytes;
import java.nio.file.Path;
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

/** The path of a shard from channel to store and commit, and the rules for channels. */
final class ProcessorNodeTest {
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

    // The path of a shard

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
        assertThat(commit.accounts().aggregated()).isEqualTo(8);
        assertThat(commit.accounts().filtered()).isEqualTo(3);
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

        assertThat(rig.commit(1, 0).accounts().filtered()).isEqualTo(5);
        assertThat(rig.commit(1, 0).rows()).isZero();
        assertThat(rig.store.attempts()).isZero();
    }

    @Test
    void countsEachPointOnceHoweverManyPipelinesTakeIt() {
        SortedMap<String, PipelineConfig> two = new TreeMap<>();
        two.put(
                "by",
                Sections.of(
                        PipelineConfig.class,
                        "aggregate",
                        Sections.of(AggregateConfig.class, "by", List.of("host"), "functions", List.of("sum")),
                        "stores",
                        List.of("memory")));
        two.put(
                "total",
                Sections.of(
                        PipelineConfig.class,
                        "aggregate",
                        Sections.of(AggregateConfig.class, "without", List.of("host"), "functions", List.of("sum")),
                        "stores",
                        List.of("memory")));
        rig = new ProcessorRig(folder, ProcessorRig.CONFIG, two);
        QueueNodeFake q1 = rig.queue(1);
        rig.begin(1, q1);
        List<PointBytes> points = List.of(point("a", 1), point("b", 2), point("a", 3));
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
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(3);
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
            for (int part = 1; part >= 0; part--) { // the order of arrival of the parts does not matter
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
        PointBytes large =
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

        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(200);
    }

    // Connections

    @Test
    void introducesItselfAndClosesConnectionsOfOtherKinds() {
        ProcessorRig rig = rig();
        QueueNodeFake good = rig.queue(1);
        QueueNodeFake otherCluster = rig.queue(Hello.of(2, "elsewhere"));
        QueueNodeFake otherVersion = rig.queue(new Hello(3, Hello.PROTOCOL + 1, ProcessorRig.CLUSTER));
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
