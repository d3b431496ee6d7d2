package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.PROCESSOR;
import static io.chimera.processor.ProcessorRig.points;
import static io.chimera.processor.ProcessorRig.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.agent.Waits;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.netty.ChannelThreads;
import io.chimera.common.channel.netty.NettyTransport;
import io.chimera.common.channel.netty.NodeTls;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.config.TlsConfig.ClientAuth;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.security.TestAuthority;
import io.chimera.common.security.Tls;
import io.chimera.common.wire.Hello;
import io.chimera.testkit.cluster.MemoryCluster;
import io.chimera.testkit.store.MemoryStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A processor over TLS takes the frames of a queue node only over a connection with the certificate of that node. */
final class CertificateIT {
    private static final String CLUSTER = "it";
    private static final long OWNER = 1;

    @TempDir
    private Path folder;

    private final MemoryCluster cluster = MemoryCluster.immediate();
    private final MemoryCluster.Lead conductor = cluster.lead();
    private final Counters<ProcessorCounter> counters = new Counters<>(ProcessorCounter.class);

    private TestAuthority authority;

    private NettyTransport transport(ChannelThreads threads, String role, String id) {
        Tls tls = Tls.open(
                "node.tls",
                authority.config(
                        authority.issue(id, "URI:chimera://" + CLUSTER + "/" + role + "/" + id), ClientAuth.WANT, null),
                false,
                new SystemClock());
        return new NettyTransport(
                threads, new Counters<>(ChannelCounter.class), error -> {}, new NodeTls(tls, CLUSTER));
    }

    @Test
    void anotherNodesCertificateIsRefusedAndTheRightOneServed() {
        authority = new TestAuthority(folder.resolve("ca"), "ours");
        MemoryStore store = new MemoryStore();
        try (ChannelThreads threads = new ChannelThreads("nodes");
                NettyTransport processor = transport(threads, "processor", "p1");
                NettyTransport queue1 = transport(threads, "queue", "q1");
                NettyTransport queue2 = transport(threads, "queue", "q2");
                NettyTransport other = transport(threads, "processor", "p2");
                ProcessorNode node = node(processor, store)) {
            Endpoint address = node.start();
            cluster.join().announce(ProcessorRig.member(OWNER));
            begin();

            for (NettyTransport foreign : List.of(queue2, other)) {
                QueueNodeFake impostor = new QueueNodeFake(OWNER, Hello.of(OWNER, CLUSTER));
                impostor.begin(1, 0, 0).data(0, points("a", 600)).end();
                impostor.connect(foreign, address);
                Waits.await().until(() -> impostor.closed() != null);
                assertThat(impostor.other()).as("session of the processor").isNull();
            }
            assertThat(counters.get(ProcessorCounter.EXTRACTOR_CONNECTIONS_REFUSED))
                    .isEqualTo(2);
            assertThat(counters.get(ProcessorCounter.EXTRACTOR_CONNECTIONS)).isZero();
            assertThat(counters.get(ProcessorCounter.STAGING_POINTS)).isZero();
            assertThat(cluster.truth().cycles().get(1L).commits()).isEmpty();

            QueueNodeFake owner = new QueueNodeFake(OWNER, Hello.of(OWNER, CLUSTER)).connect(queue1, address);
            Waits.await().until(() -> Hello.of(PROCESSOR, CLUSTER).equals(owner.other()));
            owner.begin(1, 0, 0).data(0, points("a", 1, 2)).end();
            Waits.await().until(() -> cluster.truth().cycles().get(1L).isCommitted());
            assertThat(store.values()).isEqualTo(Map.of(row("sum", "a", 1), 3.0));
        }
    }

    private ProcessorNode node(NettyTransport transport, MemoryStore store) {
        return new ProcessorNode(
                new ProcessorIdentity(
                        CLUSTER, "p1", PROCESSOR, "127.0.0.1", "127.0.0.1:1", ProcessorRig.DIGEST, folder),
                new ProcessorEnvironment(
                        new SystemClock(), cluster.join(), transport, counters, error -> {}, PluginHost.ofClassPath()),
                Sections.of(
                        ProcessorConfig.class,
                        "address",
                        new Endpoint("127.0.0.1", 0),
                        "warehouse",
                        ProcessorConfig.Warehouse.ON_HEAP),
                ProcessorRig.pipeline(ProcessorRig.functions("sum")),
                new TreeMap<>(Map.of("memory", store)));
    }

    private void begin() {
        List<Long> owners = List.of(OWNER);
        List<Long> processors = List.of(PROCESSOR);
        Cycle cycle = new Cycle(1, conductor.epoch(), ProcessorRig.timeMs(1), Positions.NONE, owners, processors);
        assertThat(conductor.begin(cycle, new Assignment(0, ProcessorRig.DIGEST, owners, processors)))
                .isTrue();
    }
}
