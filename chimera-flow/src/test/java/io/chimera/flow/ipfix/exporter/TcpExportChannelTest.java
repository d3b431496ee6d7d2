package io.chimera.flow.ipfix.exporter;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TcpExportChannelTest {
    private static final long NS_PER_S = 1_000_000_000;
    private static final int MESSAGE_BYTES = 512;

    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    private ServerSocket collector;
    private TcpExportChannel channel;
    private long nowNs;

    @BeforeEach
    void open() throws IOException {
        collector = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        channel = new TcpExportChannel(new Endpoint("127.0.0.1", collector.getLocalPort()), MESSAGE_BYTES, counters);
    }

    @AfterEach
    void close() throws IOException {
        channel.close();
        collector.close();
    }

    /** Runs the channel up to the given session; returns the collector's side of the connection. */
    private Socket accept(int session) throws IOException {
        await().until(() -> {
            proceed();
            return channel.session() == session;
        });
        return collector.accept();
    }

    private void proceed() {
        nowNs += NS_PER_S;
        channel.proceed(nowNs);
    }

    private boolean send(int records) {
        return channel.send(ByteBuffer.wrap(new byte[MESSAGE_BYTES]), records, nowNs);
    }

    private void awaitBroken() {
        await().until(() -> {
            proceed();
            return counters.get(QueueCounter.IPFIX_EXPORT_CONNECTIONS_LOST) == 1;
        });
    }

    @Test
    void whatWasSentOnAConnectionThatBrokeIsUnconfirmedAndAnotherIsMade() throws IOException {
        try (Socket first = accept(1)) {
            assertThat(send(7)).isTrue();
            assertThat(send(5)).isTrue();
            first.setSoLinger(true, 0); // close by reset
        }
        awaitBroken();
        assertThat(counters.get(QueueCounter.IPFIX_EXPORT_RECORDS_UNCONFIRMED)).isEqualTo(12);

        try (Socket second = accept(2)) {
            assertThat(send(1)).isTrue();
            assertThat(second.getInputStream().readNBytes(MESSAGE_BYTES)).hasSize(MESSAGE_BYTES);
        }
        assertThat(counters.get(QueueCounter.IPFIX_EXPORT_RECORDS_UNCONFIRMED)).isEqualTo(12);
    }

    @Test
    void aCollectorThatClosesIsNoticedWithoutSendingAnything() throws IOException {
        accept(1).close();
        awaitBroken();
        assertThat(counters.get(QueueCounter.IPFIX_EXPORT_RECORDS_UNCONFIRMED)).isZero();
    }

    @Test
    void aCollectorThatDoesNotReadMakesMessagesWait() throws IOException {
        try (Socket slow = accept(1)) {
            int sent = 0;
            while (send(1)) {
                sent++;
            }
            assertThat(counters.get(QueueCounter.IPFIX_EXPORT_CONNECTIONS_LOST)).isZero();
            int waiting = sent;
            long read = 0;
            while (read < (long) waiting * MESSAGE_BYTES) {
                proceed();
                read += slow.getInputStream().readNBytes(MESSAGE_BYTES).length;
            }
            await().until(() -> {
                proceed();
                return channel.isFlushed() && send(1);
            });
        }
    }

    @Test
    void aRefusedPortIsTriedAgainAfterAPause() throws IOException {
        collector.close();
        channel.proceed(0);
        await().until(() -> {
            channel.proceed(0); // the connection is refused, then the back-off begins
            return channel.proceed(0) == 0 && channel.session() == ExportChannel.NO_SESSION;
        });
        assertThat(counters.get(QueueCounter.IPFIX_EXPORT_CONNECTIONS_LOST)).isZero();
        assertThat(counters.get(QueueCounter.IPFIX_EXPORT_RECORDS_UNCONFIRMED)).isZero();
        assertThat(channel.proceed(NS_PER_S)).isEqualTo(1); // second attempt
    }
}
