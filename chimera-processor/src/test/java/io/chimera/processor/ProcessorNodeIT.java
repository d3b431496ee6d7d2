package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.PROCESSOR;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.agent.Waits;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.netty.ChannelThreads;
import io.chimera.common.channel.netty.NettyTransport;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.PointBytes;
import io.chimera.processor.store.kairosdb.KairosDbServer;
import io.chimera.processor.store.kairosdb.KairosDbStore;
import io.chimera.testkit.cluster.MemoryCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A processor on its own threads, with real sockets and a real KairosDB that fails for a while. */
final class ProcessorNodeIT {
    @TempDir
    private Path folder;

    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final MemoryCluster cluster = MemoryCluster.immediate();
    private final MemoryCluster.Lead conductor = cluster.lead();
    private final Counters<ProcessorCounter> counters = new Counters<>(ProcessorCounter.class);

    @Test
    void flushesWhatComesOverSocketsThroughAnOutageOfTheStore() {
        try (KairosDbServer kairos = KairosDbServer.start(folder);
                ChannelThreads threads = new ChannelThreads("processor");
                NettyTransport transport = transport(threads);
                ProcessorNode node = node(kairos, transport)) {
            Endpoint address = node.start();
            cluster.join().announce(ProcessorRig.member(1));
            QueueNodeFake queue = new QueueNodeFake(1, Hello.of(1, "it")).connect(transport, address);
            await(() -> assertThat(queue.other()).isEqualTo(Hello.of(PROCESSOR, "it")));

            cycle(1, queue);
            await(() -> assertThat(commits(1)).isTrue());
            kairos.stop();
            cycle(2, queue);
            await(() -> assertThat(node.status().storeOutage())
                    .hasValueSatisfying(
                            text -> assertThat(text).contains(kairos.url()).contains("cannot be reached")));
            assertThat(commits(2)).isFalse();
            kairos.start();
            await(() -> assertThat(commits(2)).isTrue());

            assertThat(queue.takeAnswers()).containsExactly("OK 1/0/0", "OK 2/0/0");
            for (long cycle = 1; cycle <= 2; cycle++) {
                long timeMs = ProcessorRig.timeMs(cycle);
                await(() -> {
                    assertThat(read(kairos, "cpu.user.count", timeMs)).isEqualTo("5000");
                    assertThat(read(kairos, "cpu.user.mean", timeMs)).isEqualTo("2499.5");
                });
            }
            assertThat(errors).isEmpty();
            assertThat(counters.get(ProcessorCounter.STAGING_FRAMES_BROKEN)).isZero();
            assertThat(node.status().stagedCycles()).isZero();
        }
    }

    private NettyTransport transport(ChannelThreads threads) {
        return new NettyTransport(threads, new Counters<>(ChannelCounter.class), errors::add);
    }

    private ProcessorNode node(KairosDbServer kairos, NettyTransport transport) {
        return new ProcessorNode(
                new ProcessorIdentity(
                        "it", "p1", PROCESSOR, "127.0.0.1", "127.0.0.1:1", new ConfigurationDigest("digest"), folder),
                new ProcessorEnvironment(
                        new SystemClock(), cluster.join(), transport, counters, errors::add, PluginHost.ofClassPath()),
                Sections.of(
                        ProcessorConfig.class,
                        "address",
                        new Endpoint("127.0.0.1", 0),
                        "warehouse",
                        ProcessorConfig.Warehouse.OFF_HEAP),
                new TreeMap<>(Map.of(
                        "all",
                        Sections.of(
                                PipelineConfig.class,
                                "aggregate",
                                ProcessorRig.functions("count", "mean"),
                                "stores",
                                List.of("kairos")))),
                Map.of("kairos", new KairosDbStore(kairos.url(), 1000, Waits.MAX, true)));
    }

    /** Begins a cycle and sends its only part: the values 0 to 4999 for each of 5 hosts. */
    private void cycle(long number, QueueNodeFake queue) {
        List<Long> owners = List.of(queue.session());
        List<Long> processors = List.of(PROCESSOR);
        Cycle cycle =
                new Cycle(number, conductor.epoch(), ProcessorRig.timeMs(number), Positions.NONE, owners, processors);
        assertThat(conductor.begin(cycle, new Assignment(0, owners, processors)))
                .isTrue();
        QueueNodeFake.Sending sending = queue.begin(number, 0, 0);
        for (int value = 0; value < 5000; value++) {
            List<PointBytes> frame = new ArrayList<>();
            for (int host = 0; host < 5; host++) {
                frame.add(Records.of(
                        "cpu",
                        Map.of("host", "h" + host),
                        Map.of("user", (double) value),
                        ProcessorRig.timeNs(number)));
            }
            sending.data(0, frame);
        }
        sending.end();
        await(() -> assertThat(queue.flush()).isTrue());
    }

    private boolean commits(long cycle) {
        return cluster.truth().cycles().get(cycle).isCommitted();
    }

    private static String read(KairosDbServer kairos, String metric, long timeMs) {
        return kairos.read(metric, List.of("host"), timeMs, timeMs)
                .getOrDefault("{host=h4}", Map.of())
                .get(timeMs);
    }

    private static void await(ThrowingRunnable condition) {
        Waits.await().pollInterval(Duration.ofMillis(20)).untilAsserted(condition);
    }
}
