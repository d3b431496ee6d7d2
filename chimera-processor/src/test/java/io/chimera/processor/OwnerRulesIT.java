package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.PROCESSOR;
import static io.chimera.processor.ProcessorRig.points;
import static io.chimera.processor.ProcessorRig.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.agent.Waits;
import io.chimera.common.channel.CreditWindow;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.netty.ChannelThreads;
import io.chimera.common.channel.netty.NettyTransport;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PartId;
import io.chimera.testkit.cluster.MemoryCluster;
import io.chimera.testkit.store.MemoryStore;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A raw socket sends HELLO and an empty END to a processor's port, while acknowledged points are in flight. */
final class OwnerRulesIT {
    private static final String CLUSTER = "it";
    private static final long OWNER = 1;
    private static final long OTHER_MEMBER = 2;
    private static final long UNKNOWN = 666;

    @TempDir
    private Path folder;

    private final MemoryCluster cluster = MemoryCluster.immediate();
    private final MemoryCluster.Lead conductor = cluster.lead();
    private final Counters<ProcessorCounter> counters = new Counters<>(ProcessorCounter.class);

    @Test
    void loseNothing() throws IOException {
        MemoryStore store = new MemoryStore();
        try (ChannelThreads threads = new ChannelThreads("processor");
                NettyTransport transport =
                        new NettyTransport(threads, new Counters<>(ChannelCounter.class), error -> {});
                ProcessorNode node = node(transport, store)) {
            Endpoint address = node.start();
            cluster.join().announce(ProcessorRig.member(OWNER));
            cluster.join().announce(ProcessorRig.member(OTHER_MEMBER));
            QueueNodeFake owner = new QueueNodeFake(OWNER, Hello.of(OWNER, CLUSTER)).connect(transport, address);
            await(() -> assertThat(node.status().queueNodes()).isEqualTo(1));
            begin();
            QueueNodeFake.Sending inFlight = owner.begin(1, 0, 0).data(0, points("a", 1, 2));
            await(() ->
                    assertThat(counters.get(ProcessorCounter.STAGING_POINTS)).isEqualTo(2));

            int right = ProcessorRig.DIGEST.fingerprint();
            try (Socket unknown = attack(address, UNKNOWN, 0);
                    Socket asOwner = attack(address, OWNER, 0);
                    Socket asOwnerAgain = attack(address, OWNER, right);
                    Socket asMember = attack(address, OTHER_MEMBER, right)) {
                await(() -> assertThat(counters.get(ProcessorCounter.STAGING_FRAMES_FOREIGN))
                        .isEqualTo(1));
                assertThat(List.of(unknown, asOwner, asOwnerAgain, asMember)).allMatch(Socket::isConnected);
                assertThat(cluster.truth().cycles().get(1L).commits()).isEmpty();
                inFlight.data(0, points("a", 3)).end();
                await(() -> assertThat(cluster.truth().cycles().get(1L).isCommitted())
                        .isTrue());
            }
            assertThat(cluster.truth()
                            .cycles()
                            .get(1L)
                            .commits()
                            .get(0)
                            .accounts()
                            .aggregated())
                    .isEqualTo(3);
            assertThat(store.values()).isEqualTo(Map.of(row("sum", "a", 1), 6.0));
            List<String> answers = new ArrayList<>();
            await(() -> {
                answers.addAll(owner.takeAnswers()); // sent after the commit
                assertThat(answers).containsExactly("OK 1/0/0");
            });
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

    private static Socket attack(Endpoint address, long session, int fingerprint) throws IOException {
        Hello hello = Hello.of(session, CLUSTER);
        byte[] greeting = new byte[hello.length()];
        hello.encode(new UnsafeBuffer(greeting), 0);
        byte[] end = new byte[PartFrame.END_LENGTH];
        PartFrame.header(new UnsafeBuffer(end), 0, PartFrame.END, new PartId(1, 0, 0), 0, 7, 0, 0);
        PartFrame.fingerprint(new UnsafeBuffer(end), 0, fingerprint);
        ByteBuffer start = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
        start.put(new byte[] {'C', 'H', 'I', 'M'}).putInt(1).putInt(CreditWindow.BYTES);
        Socket socket = new Socket(address.host(), address.port());
        socket.getOutputStream().write(frame(1, start.array()));
        socket.getOutputStream().write(frame(0, greeting));
        socket.getOutputStream().write(frame(0, end));
        return socket;
    }

    private static byte[] frame(int kind, byte[] payload) {
        CRC32C crc = new CRC32C();
        crc.update(payload);
        ByteBuffer frame = ByteBuffer.allocate(8 + payload.length).order(ByteOrder.LITTLE_ENDIAN);
        frame.putInt(kind << 24 | payload.length).putInt((int) crc.getValue()).put(payload);
        return frame.array();
    }

    private static void await(ThrowingRunnable condition) {
        Waits.await().pollInterval(Duration.ofMillis(20)).untilAsserted(condition);
    }
}
