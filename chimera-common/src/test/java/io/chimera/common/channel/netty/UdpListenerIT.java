package io.chimera.common.channel.netty;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.channel.DatagramHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Datagrams over real sockets. */
@ExtendWith(NoLeaks.class)
final class UdpListenerIT {
    private static final ChannelThreads THREADS = new ChannelThreads("test");

    private final Counters<ChannelCounter> counters = new Counters<>(ChannelCounter.class);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final NettyListeners listeners = new NettyListeners(THREADS, counters, failures::add);
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final AtomicInteger completions = new AtomicInteger();

    @AfterAll
    static void closeThreads() {
        THREADS.close();
    }

    @AfterEach
    void closeListeners() {
        listeners.close();
    }

    private final DatagramHandler handler = new DatagramHandler() {
        @Override
        public void onDatagram(byte[] bytes, int offset, int length, InetSocketAddress sender) {
            String text = new String(bytes, offset, length, UTF_8);
            if (text.equals("fail")) {
                throw new IllegalStateException("on purpose");
            }
            heard.add(text);
        }

        @Override
        public void onReadComplete() {
            completions.incrementAndGet();
        }
    };

    private static void send(DatagramSocket socket, Endpoint address, String text) throws Exception {
        byte[] bytes = text.getBytes(UTF_8);
        socket.send(new DatagramPacket(bytes, bytes.length, new InetSocketAddress(address.host(), address.port())));
    }

    @Test
    void handsOverDatagramsFromEmptyToLargest() throws Exception {
        Endpoint address = listeners.udp(HttpListenerIT.ANY, handler);
        String largest = "a".repeat(65_507);
        try (DatagramSocket socket = new DatagramSocket()) {
            for (String text : List.of("one", "", largest, "fail", "last")) {
                send(socket, address, text);
            }
            await().untilAsserted(() -> assertThat(heard).containsExactly("one", "", largest, "last"));
        }
        await().until(() -> counters.get(ChannelCounter.UDP_DATAGRAMS) == 5);
        assertThat(completions.get()).isBetween(1, 5);
        assertThat(counters.get(ChannelCounter.UDP_BYTES_RECEIVED)).isEqualTo(3 + 65_507 + 4 + 4);
        assertThat(counters.get(ChannelCounter.UDP_HANDLERS_FAILED)).isOne();
        assertThat(failures).hasSize(1);
    }

    @Test
    void saysWhoHoldsThePort() {
        Endpoint address = listeners.udp(HttpListenerIT.ANY, handler);
        assertThatThrownBy(() -> listeners.udp(address, handler))
                .hasMessage("Cannot listen on " + address + ": Address already in use. Stop the program that uses the"
                        + " port (ss -lunp 'sport = :" + address.port() + "') or set another address.");
    }
}
