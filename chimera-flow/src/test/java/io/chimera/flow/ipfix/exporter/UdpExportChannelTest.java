package io.chimera.flow.ipfix.exporter;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class UdpExportChannelTest {
    private static final long NS_PER_MS = 1_000_000;
    private static final long NS_PER_S = 1_000 * NS_PER_MS;

    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    private UdpExportChannel channel;

    @AfterEach
    void close() {
        channel.close();
    }

    private void open(String host, int port, int messagesPerSecond) {
        channel = new UdpExportChannel(new Endpoint(host, port), messagesPerSecond, counters);
        channel.proceed(0);
    }

    private boolean send(int records, long nowNs) {
        return channel.send(ByteBuffer.wrap(new byte[] {1, 2, 3}), records, nowNs);
    }

    private static DatagramSocket collector() throws IOException {
        return new DatagramSocket(0, InetAddress.getLoopbackAddress());
    }

    @Test
    void aPortThatNobodyListensOnCostsTheMessageBeforeAndIsCounted() throws IOException {
        int port = ExternalTool.freePort();
        open("127.0.0.1", port, 0);
        assertThat(send(7, 0)).isTrue();
        await().until(() -> !send(3, 0)); // a later send reports the refusal

        assertThat(counters.get(QueueCounter.IPFIX_EXPORT_RECORDS_LOST)).isIn(3L, 7L);
        try (DatagramSocket collector = new DatagramSocket(port, InetAddress.getLoopbackAddress())) {
            assertThat(send(5, 0)).isTrue();
            collector.receive(new DatagramPacket(new byte[10], 10));
        }
    }

    @Test
    void aBurstGoesAtOnceAndTheRestEvenly() throws IOException {
        try (DatagramSocket collector = collector()) {
            open("127.0.0.1", collector.getLocalPort(), 100);
            int sent = 0;
            while (send(1, NS_PER_S)) {
                sent++;
            }
            assertThat(sent).isEqualTo(32);
            for (int turn = 1; turn <= 10; turn++) {
                long nowNs = NS_PER_S + 10L * turn * NS_PER_MS;
                assertThat(send(1, nowNs)).isTrue();
                assertThat(send(1, nowNs)).isFalse();
            }
        }
    }

    @Test
    void aNameThatIsNotKnownIsLookedUpAgain() {
        open("no-such-collector.invalid", 4739, 0);
        assertThat(channel.session()).isEqualTo(ExportChannel.NO_SESSION);
        assertThat(channel.proceed(1)).isZero();
        channel.proceed(NS_PER_S + 1);
        assertThat(channel.session()).isEqualTo(ExportChannel.NO_SESSION);
    }
}
