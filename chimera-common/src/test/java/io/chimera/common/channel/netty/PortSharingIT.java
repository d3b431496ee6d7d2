package io.chimera.common.channel.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.Waits;
import io.chimera.common.channel.DatagramHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.netty.bootstrap.ServerBootstrap;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two lanes of a process, and another process, on one port. */
@Tag("it")
final class PortSharingIT {
    private static final int SENDERS = 40;

    private final ChannelThreads threads = new ChannelThreads("lanes");
    private final NettyListeners first = lane(0);
    private final NettyListeners second = lane(1);

    private NettyListeners lane(int lane) {
        return new NettyListeners(
                threads,
                new Counters<>(ChannelCounter.class),
                error -> {
                    throw new AssertionError(error);
                },
                Map.of(),
                PortSharing.of(2, lane));
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
        threads.close();
    }

    @Test
    void bothLanesReceiveDatagramsOfSomeSenders() throws Exception {
        AtomicInteger ofFirst = new AtomicInteger();
        AtomicInteger ofSecond = new AtomicInteger();
        Endpoint address = first.udp(new Endpoint("127.0.0.1", 0), counting(ofFirst));
        second.udp(address, counting(ofSecond));

        for (int i = 0; i < SENDERS; i++) {
            try (DatagramSocket sender = new DatagramSocket()) {
                sender.send(new DatagramPacket(new byte[] {1}, 1, InetAddress.getLoopbackAddress(), address.port()));
            }
        }

        Waits.await().until(() -> ofFirst.get() + ofSecond.get() == SENDERS);
        assertThat(ofFirst).hasPositiveValue();
        assertThat(ofSecond).hasPositiveValue();
    }

    @Test
    void theFirstLaneRefusesAPortOfAnotherProgram() throws IOException {
        try (DatagramSocket udp = new DatagramSocket(null);
                ServerSocket tcp = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            udp.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            udp.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

            assertThatThrownBy(() ->
                            first.udp(new Endpoint("127.0.0.1", udp.getLocalPort()), counting(new AtomicInteger())))
                    .isInstanceOf(ChimeraException.class)
                    .hasMessageContaining("in use");
            assertThatThrownBy(() -> PortSharing.FIRST.bind(
                            new ServerBootstrap(), new Endpoint("127.0.0.1", tcp.getLocalPort()), PortSharing.TCP))
                    .isInstanceOf(ChimeraException.class)
                    .hasMessageContaining("in use");
        }
    }

    @Test
    void anUnboundLaneReleasesItsPortsAndMayBindThemAgain() throws IOException {
        AtomicInteger received = new AtomicInteger();
        Endpoint address = second.udp(new Endpoint("127.0.0.1", 0), counting(received));

        second.unbind();
        Waits.await().until(() -> isFree(address));
        second.udp(address, counting(received));
        try (DatagramSocket sender = new DatagramSocket()) {
            sender.send(new DatagramPacket(new byte[] {1}, 1, InetAddress.getLoopbackAddress(), address.port()));
        }

        Waits.await().until(() -> received.get() == 1);
    }

    private static boolean isFree(Endpoint address) throws IOException {
        try (DatagramSocket alone = new DatagramSocket(address.port(), InetAddress.getLoopbackAddress())) {
            return alone.isBound();
        } catch (BindException e) {
            return false; // the event loop releases a closed socket in its next round
        }
    }

    private static DatagramHandler counting(AtomicInteger count) {
        return (bytes, offset, length, sender) -> count.incrementAndGet();
    }
}
