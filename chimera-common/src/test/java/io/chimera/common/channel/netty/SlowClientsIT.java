package io.chimera.common.channel.netty;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.Waits;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.Listeners.Limits;
import io.chimera.common.channel.Listeners.Pace;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Deliberately slow clients block neither the memory nor the connections of an HTTP port. */
@Tag("it")
final class SlowClientsIT {
    private static final int MIB = 1 << 20;

    private final Counters<ChannelCounter> counters = new Counters<>(ChannelCounter.class);
    private final List<Socket> sockets = new ArrayList<>();
    private ChannelThreads threads;
    private NettyListeners listeners;

    @BeforeEach
    void open() {
        threads = new ChannelThreads("test");
        listeners = new NettyListeners(threads, counters, error -> {
            throw new AssertionError(error);
        });
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        listeners.close();
        threads.close();
    }

    private Endpoint listen(long inFlight, int connections, long headersMs, long paceMs) {
        return listeners.http(
                new Endpoint("127.0.0.1", 0),
                exchange -> {
                    exchange.respond(204, Map.of(), new byte[0]);
                    return true;
                },
                new Limits(
                        MIB, 100, inFlight, connections, 100, new Pace(600_000, headersMs, 1 << 10, paceMs, 600_000)));
    }

    private Socket connect(Endpoint address) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.port());
        socket.setSoTimeout((int) Waits.MAX.toMillis());
        sockets.add(socket);
        return socket;
    }

    private Socket half(Endpoint address) throws IOException {
        Socket socket = connect(address);
        socket.getOutputStream().write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n".getBytes(UTF_8));
        socket.getOutputStream().write(new byte[600_000]);
        return socket;
    }

    /** Returns the status of a small request on a new connection; 0 for an end without an answer. */
    private int ask(Endpoint address) throws IOException {
        try (Socket socket = connect(address)) {
            socket.getOutputStream()
                    .write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc".getBytes(UTF_8));
            return status(socket);
        }
    }

    private static int status(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] line = in.readNBytes("HTTP/1.1 204".length());
        return line.length < 12 ? 0 : Integer.parseInt(new String(line, 9, 3, UTF_8));
    }

    /** Four half bodies take all memory. Their deadline is far away, but a new request evicts them. */
    @Test
    void stalledBodiesYieldTheirMemoryToOthers() throws Exception {
        Endpoint address = listen(4L * MIB, 100, 400_000, 400); // a check every 100 ms
        for (int i = 0; i < 4; i++) {
            half(address);
        }

        await().until(() -> ask(address) == 204);

        await().untilAsserted(() -> assertThat(counters.get(ChannelCounter.HTTP_REQUESTS_EVICTED)
                        + counters.get(ChannelCounter.HTTP_REQUESTS_SLOW))
                .isPositive());
    }

    @Test
    void aBodyBelowTheMinimumRateEndsWith408() throws Exception {
        Endpoint address = listen(4L * MIB, 100, 400_000, 400);

        assertThat(status(half(address))).isEqualTo(408);
        assertThat(counters.get(ChannelCounter.HTTP_REQUESTS_SLOW)).isEqualTo(1);
    }

    @Test
    void headersThatDoNotEndEndWith408AndASilentConnectionIsClosed() throws Exception {
        Endpoint address = listen(4L * MIB, 100, 400, 400);
        Socket silent = connect(address);
        Socket trickling = connect(address);
        trickling.getOutputStream().write("POST / HTTP/1.1\r\nHost".getBytes(UTF_8));

        assertThat(status(trickling)).isEqualTo(408);
        assertThat(status(silent)).isZero();
        assertThat(counters.get(ChannelCounter.HTTP_REQUESTS_SLOW)).isEqualTo(2);
    }

    /** Clients without a complete request take all connections; the deadline is far away. */
    @Test
    void tricklingConnectionsYieldToOthers() throws Exception {
        Endpoint address = listen(4L * MIB, 50, 400_000, 400);
        for (int i = 0; i < 50; i++) {
            connect(address).getOutputStream().write("POST / HTTP/1.1\r\nX: ".getBytes(UTF_8));
        }

        await().until(() -> ask(address) == 204);
        assertThat(ask(address)).isEqualTo(204);
        // the second request may use the connection that the first one left, so a single eviction suffices
        assertThat(counters.get(ChannelCounter.HTTP_REQUESTS_EVICTED)).isPositive();
    }

    /** An idle keep-alive connection between requests is not slow. */
    @Test
    void aConnectionMayRestBetweenRequests() throws Exception {
        Endpoint address = listen(4L * MIB, 100, 200, 200);
        Socket socket = connect(address);
        byte[] request = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc".getBytes(UTF_8);
        socket.getOutputStream().write(request);
        assertThat(status(socket)).isEqualTo(204);
        while (socket.getInputStream().available() > 0) {
            socket.getInputStream().read();
        }
        for (int i = 0; i < 3; i++) { // other slow clients come and go, so time has passed for this connection
            assertThat(status(half(address))).isEqualTo(408);
        }

        socket.getOutputStream().write(request);
        byte[] rest = new byte[4096];
        int count = socket.getInputStream().read(rest);
        assertThat(new String(rest, 0, count, UTF_8)).contains("204");
    }
}
