package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.PROCESSOR;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.Row;
import io.chimera.api.spi.StoreException;
import io.chimera.api.spi.VerifiableStore;
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
import io.chimera.processor.store.kairosdb.KairosDbServer.Writes;
import io.chimera.processor.store.kairosdb.KairosDbStore;
import io.chimera.testkit.cluster.MemoryCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Delivery exactly_once with a real KairosDB, killed between its 204 and its write to disk. */
final class ExactlyOnceIT {
    private static final int HOSTS = 300;

    @TempDir
    private Path folder;

    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final MemoryCluster cluster = MemoryCluster.immediate();
    private final MemoryCluster.Lead conductor = cluster.lead();
    private final Counters<ProcessorCounter> counters = new Counters<>(ProcessorCounter.class);

    /** Number of rows that KairosDB acknowledged but lost in the kill; H2 may have written some rows before. */
    private volatile int lost;

    @Test
    void everyRowIsStoredAtTheCommitThoughKairosDbLostWhatItAcknowledged() {
        try (KairosDbServer kairos = forgetful();
                ChannelThreads threads = new ChannelThreads("processor");
                NettyTransport transport =
                        new NettyTransport(threads, new Counters<>(ChannelCounter.class), errors::add);
                ProcessorNode node = node(kairos, transport)) {
            Endpoint address = node.start();
            cluster.join().announce(ProcessorRig.member(1));
            QueueNodeFake queue = new QueueNodeFake(1, Hello.of(1, "it")).connect(transport, address);
            Waits.await().until(() -> queue.other() != null);
            send(queue);
            Waits.await().until(() -> cluster.truth().cycles().get(1L).isCommitted());
            kairos.crash(Writes.DURABLE);

            long timeMs = ProcessorRig.timeMs(1);
            assertThat(lost).isPositive();
            assertThat(counters.get(ProcessorCounter.FLUSHER_ROWS_REWRITTEN)).isEqualTo(lost);
            assertThat(counters.get(ProcessorCounter.FLUSHER_ROWS_VERIFIED)).isEqualTo(2 * HOSTS);
            assertThat(kairos.read("cpu.user.count", List.of("host"), timeMs, timeMs))
                    .hasSize(HOSTS)
                    .allSatisfy((host, values) -> assertThat(values).containsEntry(timeMs, "2"));
            assertThat(kairos.read("cpu.user.sum", List.of("host"), timeMs, timeMs))
                    .hasSize(HOSTS)
                    .allSatisfy((host, values) -> assertThat(values).containsEntry(timeMs, "3.5"));
            assertThat(errors).isEmpty();
        }
    }

    /** Starts a server with durable tables, then makes the server forgetful. */
    private KairosDbServer forgetful() {
        KairosDbServer server = KairosDbServer.start(folder, Writes.DURABLE);
        server.crash(Writes.FORGETFUL);
        server.awaitWriteDelay();
        return server;
    }

    private ProcessorNode node(KairosDbServer kairos, NettyTransport transport) {
        PipelineConfig pipeline = Sections.of(
                PipelineConfig.class,
                "aggregate",
                ProcessorRig.functions("count", "sum"),
                "stores",
                List.of("kairos"),
                "delivery",
                PipelineConfig.Delivery.EXACTLY_ONCE);
        return new ProcessorNode(
                new ProcessorIdentity(
                        "it", "p1", PROCESSOR, "127.0.0.1", "127.0.0.1:1", new ConfigurationDigest("digest"), folder),
                new ProcessorEnvironment(
                        new SystemClock(), cluster.join(), transport, counters, errors::add, PluginHost.ofClassPath()),
                Sections.of(ProcessorConfig.class, "address", new Endpoint("127.0.0.1", 0)),
                new TreeMap<>(Map.of("all", pipeline)),
                Map.of("kairos", new KillingStore(kairos)));
    }

    private void send(QueueNodeFake queue) {
        List<Long> owners = List.of(queue.session());
        List<Long> processors = List.of(PROCESSOR);
        Cycle cycle = new Cycle(1, conductor.epoch(), ProcessorRig.timeMs(1), Positions.NONE, owners, processors);
        assertThat(conductor.begin(cycle, new Assignment(0, owners, processors)))
                .isTrue();
        List<PointBytes> points = new ArrayList<>();
        for (int host = 0; host < HOSTS; host++) {
            for (double value : new double[] {1, 2.5}) {
                points.add(
                        Records.of("cpu", Map.of("host", "h" + host), Map.of("user", value), ProcessorRig.timeNs(1)));
            }
        }
        queue.send(1, 0, 0, points);
        Waits.await().until(queue::flush);
    }

    /** Kills KairosDB after the first acknowledged rows and restarts the server. */
    private final class KillingStore implements VerifiableStore {
        private final KairosDbServer kairos;
        private final KairosDbStore store;
        private boolean hasKilled;

        KillingStore(KairosDbServer kairos) {
            this.kairos = kairos;
            store = new KairosDbStore(kairos.url(), 10_000, Waits.MAX, true);
        }

        @Override
        public void write(List<Row> rows) throws StoreException {
            store.write(rows);
            if (!hasKilled) {
                hasKilled = true;
                kairos.crash(Writes.DURABLE);
                lost = rows.size() - store.read(rows).size();
            }
        }

        @Override
        public List<Row> read(List<Row> written) throws StoreException {
            return store.read(written);
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
