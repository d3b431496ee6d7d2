package io.chimera.common.channel.netty;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.spi.Chunk;
import io.chimera.common.agent.Waits;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.Listeners.Limits;
import io.chimera.common.channel.Listeners.Pace;
import io.chimera.common.channel.Peer;
import io.chimera.common.channel.StreamHandler;
import io.chimera.common.channel.netty.http.Packing;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A hostile client at one loopback address, and a well-behaved client at another address; the latter must always be
 * served.
 */
@Tag("it")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class HostileClientsIT {
    private static final int MIB = 1 << 20;
    private static final String HOSTILE = "127.0.0.2";
    private static final String HOSTILE_TOO = "127.0.0.3";
    private static final String FRIENDLY = "127.0.0.4";

    /** Deadlines too long to end anything in a test. */
    private static final Pace PATIENT = new Pace(3_600_000, 3_600_000, 1 << 10, 3_600_000, 3_600_000);

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

    private Endpoint http(Limits limits) {
        return listeners.http(
                new Endpoint("127.0.0.1", 0),
                exchange -> {
                    exchange.respond(204, Map.of(), new byte[0]);
                    return true;
                },
                limits);
    }

    private Endpoint lines(Limits limits) {
        return listeners.tcp(new Endpoint("127.0.0.1", 0), Echo::new, limits);
    }

    /** Answers complete lines. */
    private static final class Echo implements StreamHandler {
        private Peer peer;

        @Override
        public void onOpen(Peer newPeer) {
            peer = newPeer;
        }

        @Override
        public boolean onBytes(Chunk chunk) {
            for (int i = chunk.offset(); i < chunk.limit(); i++) {
                if (chunk.bytes()[i] == '\n') {
                    chunk.consumedTo(i + 1, 1);
                    peer.reply("ok\n".getBytes(US_ASCII));
                }
            }
            return true;
        }
    }

    private Socket connect(String from, Endpoint address) throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), address.port()));
        socket.setSoTimeout((int) Waits.MAX.toMillis());
        sockets.add(socket);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(US_ASCII));
    }

    /** Sends until the socket is full. */
    private static void push(Socket socket, byte[] bytes, int times) {
        try {
            OutputStream out = socket.getOutputStream();
            for (int i = 0; i < times; i++) {
                out.write(bytes);
            }
        } catch (IOException e) {
            // refused during the send
        }
    }

    /** Reads until the other end closes; empty after a reset. */
    private static String answer(Socket socket) throws IOException {
        try {
            return new String(socket.getInputStream().readAllBytes(), US_ASCII);
        } catch (SocketException e) {
            return "";
        }
    }

    private static boolean isAnswered429(Socket socket) {
        try {
            return socket.getInputStream().available() > 0 && answer(socket).matches("(?s).* 429 .*share.*");
        } catch (IOException e) {
            return false;
        }
    }

    private static int status(Socket socket) throws IOException {
        byte[] line = socket.getInputStream().readNBytes("HTTP/1.1 204".length());
        return line.length < 12 ? 0 : Integer.parseInt(new String(line, 9, 3, US_ASCII));
    }

    /** Returns the status of a request of the well-behaved client. */
    private int friendly(Endpoint address, int length) throws IOException {
        try (Socket socket = connect(FRIENDLY, address)) {
            send(socket, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n");
            socket.getOutputStream().write(new byte[length]);
            return status(socket);
        }
    }

    private String friendlyLine(Endpoint address) throws IOException {
        try (Socket socket = connect(FRIENDLY, address)) {
            send(socket, "m value=1\n");
            return new String(socket.getInputStream().readNBytes(3), US_ASCII);
        }
    }

    @Test
    void fourSlowBodiesOfOneClientLeaveRoomForOthers() throws Exception {
        Endpoint address = http(new Limits(20 * MIB, 100, 64L * MIB, 1_000, 50, PATIENT));
        for (int i = 0; i < 4; i++) {
            Socket socket = connect(HOSTILE, address);
            send(socket, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + 20 * MIB + "\r\n\r\n");
            push(socket, new byte[MIB / 2], 19);
            push(socket, new byte[1], 1);
        }

        assertThat(friendly(address, 19 * MIB / 2)).isEqualTo(204);

        await().until(() -> counters.get(ChannelCounter.HTTP_CLIENT_BODIES_REFUSED) == 2);
        assertThat(friendly(address, 19 * MIB / 2)).isEqualTo(204);
        assertThat(counters.get(ChannelCounter.HTTP_BODIES_NO_ROOM)).isZero();
    }

    @Test
    void aBodyBeyondTheShareIsAnswered429WithRetryAfter() throws Exception {
        Endpoint address = http(new Limits(MIB, 100, 2L * MIB, 1_000, 50, PATIENT));
        Socket first = connect(HOSTILE, address);
        send(first, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + MIB + "\r\n\r\n");
        push(first, new byte[MIB - 1], 1);
        Socket second = connect(HOSTILE, address);
        await().until(() -> {
            Socket probe = connect(HOSTILE, address);
            send(probe, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc");
            return status(probe) == 429; // the first body is in memory
        });

        send(second, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nab");

        assertThat(answer(second))
                .contains(" 429 ")
                .containsIgnoringCase("retry-after: 1")
                .contains("share");
        send(first, "x");
        assertThat(status(first)).isEqualTo(204);
        assertThat(friendly(address, 3)).isEqualTo(204);
    }

    @Test
    void aThousandTricklingConnectionsOfOneClientLeaveRoomForOthers() throws Exception {
        Endpoint address = http(new Limits(20 * MIB, 100, 64L * MIB, 1_000, 50, PATIENT));
        List<Socket> trickling = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            Socket socket = connect(HOSTILE, address);
            trickling.add(socket);
            push(socket, "POST / HTTP/1.1\r\nX: ".getBytes(US_ASCII), 1);
            if (i % 100 == 0) {
                assertThat(friendly(address, 3)).isEqualTo(204);
            }
        }

        await().until(() -> counters.get(ChannelCounter.HTTP_CLIENT_CONNECTIONS_REFUSED) == 500);
        await().until(() -> trickling.stream().anyMatch(HostileClientsIT::isAnswered429));
        assertThat(counters.get(ChannelCounter.HTTP_CONNECTIONS_REFUSED)).isZero();
        assertThat(friendly(address, 3)).isEqualTo(204);
    }

    /** Two hostile clients take all connections; the slow connections are evicted. */
    @Test
    void thousandsOfSilentConnectionsMakeRoomForOthers() throws Exception {
        Pace pace = new Pace(3_600_000, 3_600_000, 1 << 10, 400, 3_600_000); // a check every 100 ms
        Endpoint address = http(new Limits(MIB, 100, 4L * MIB, 1_000, 50, pace));
        Endpoint tcp = lines(new Limits(MIB, 100, 4L * MIB, 1_000, 50, pace));
        for (int i = 0; i < 1_000; i++) {
            connect(i % 2 == 0 ? HOSTILE : HOSTILE_TOO, address);
            connect(i % 2 == 0 ? HOSTILE : HOSTILE_TOO, tcp);
        }

        await().until(() -> friendly(address, 3) == 204);
        await().until(() -> friendlyLine(tcp).equals("ok\n"));

        for (int i = 0; i < 500; i++) {
            connect(HOSTILE, address);
            connect(HOSTILE, tcp);
        }
        await().until(() -> friendly(address, 3) == 204);
        await().until(() -> friendlyLine(tcp).equals("ok\n"));
        assertThat(counters.get(ChannelCounter.HTTP_REQUESTS_EVICTED)).isPositive();
        assertThat(counters.get(ChannelCounter.TCP_CONNECTIONS_EVICTED)).isPositive();
    }

    @Test
    void tcpConnectionsBeyondTheShareAreToldWhyAndClosed() throws Exception {
        Endpoint address = lines(new Limits(MIB, 100, 4L * MIB, 10, 50, PATIENT));
        for (int i = 0; i < 5; i++) {
            Socket socket = connect(HOSTILE, address);
            send(socket, "m value=1\n");
            assertThat(socket.getInputStream().readNBytes(3)).hasSize(3);
        }

        assertThat(answer(connect(HOSTILE, address))).startsWith("ERROR ").contains("share");
        assertThat(counters.get(ChannelCounter.TCP_CLIENT_CONNECTIONS_REFUSED)).isOne();
        assertThat(friendlyLine(address)).isEqualTo("ok\n");
    }

    @Test
    void aLineThatStaysUnfinishedEndsItsConnectionWithAReason() throws Exception {
        Endpoint address = lines(new Limits(MIB, 100, 4L * MIB, 10, 50, new Pace(3_600_000, 400, 1 << 10, 400, 400)));
        Socket half = connect(HOSTILE, address);
        Socket silent = connect(HOSTILE, address);
        send(half, "m value=1\nm val");

        String answer = answer(half);

        assertThat(answer).startsWith("ok\nERROR ").contains("incomplete");
        assertThat(counters.get(ChannelCounter.TCP_LINES_SLOW)).isOne();
        send(silent, "m value=1\n");
        assertThat(silent.getInputStream().read()).isEqualTo('o');
    }

    @Test
    void aBodyWithoutEndIsCutOffAtTheLargestBody() throws Exception {
        Endpoint address = http(new Limits(MIB, 100, 4L * MIB, 100, 50, PATIENT));
        Socket endless = connect(HOSTILE, address);
        send(endless, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
        ByteArrayOutputStream chunk = new ByteArrayOutputStream();
        chunk.writeBytes("10000\r\n".getBytes(US_ASCII));
        chunk.writeBytes(new byte[1 << 16]);
        chunk.writeBytes("\r\n".getBytes(US_ASCII));
        push(endless, chunk.toByteArray(), 17);

        assertThat(status(endless)).isEqualTo(413);
        assertThat(counters.get(ChannelCounter.HTTP_BODIES_TOO_LARGE)).isOne();
        assertThat(friendly(address, MIB / 2)).isEqualTo(204);
    }

    /** The accepted encodings decompress within the limits; the refusal of any other encoding names the encoding. */
    @Test
    void bombsOfEveryEncodingAreRefused() throws Exception {
        Endpoint address = http(new Limits(MIB, 100, 4L * MIB, 100, 50, PATIENT));
        byte[] zeros = new byte[64 * MIB];
        Map<String, byte[]> bombs = Map.of(
                "gzip", Packing.gzip(zeros),
                "x-gzip", Packing.gzip(zeros),
                "deflate", Packing.zlib(zeros));
        for (Map.Entry<String, byte[]> bomb : bombs.entrySet()) {
            assertThat(encoded(address, bomb.getKey(), bomb.getValue()))
                    .as(bomb.getKey())
                    .isEqualTo(413);
        }
        for (String unknown : List.of("snappy", "zstd", "br", "lz4", "compress", "gzip, gzip")) {
            assertThat(encoded(address, unknown, new byte[100])).as(unknown).isEqualTo(415);
        }
        assertThat(counters.get(ChannelCounter.HTTP_BODIES_TOO_LARGE)).isEqualTo(bombs.size());
        assertThat(friendly(address, MIB / 2)).isEqualTo(204);
    }

    private int encoded(Endpoint address, String encoding, byte[] body) throws IOException {
        Socket socket = connect(HOSTILE, address);
        send(
                socket,
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Encoding: " + encoding + "\r\nContent-Length: " + body.length
                        + "\r\n\r\n");
        push(socket, body, 1);
        return status(socket);
    }

    @Test
    void aClientThatPipelinesWithoutReadingIsClosedAndHoldsOneAnswer() throws Exception {
        AtomicInteger handled = new AtomicInteger();
        byte[] large = new byte[4 * MIB];
        Endpoint address = listeners.http(
                new Endpoint("127.0.0.1", 0),
                exchange -> {
                    boolean isLarge = exchange.path().equals("/large");
                    handled.addAndGet(isLarge ? 1 : 0);
                    exchange.respond(200, Map.of(), isLarge ? large : new byte[0]);
                    return true;
                },
                new Limits(MIB, 100, 4L * MIB, 100, 50, new Pace(1_000, 3_600_000, 1 << 10, 3_600_000, 3_600_000)));
        Socket pipelining = connect(HOSTILE, address);
        pipelining.setReceiveBufferSize(16 << 10);
        send(pipelining, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1_000));

        assertThat(friendly(address, 3)).isEqualTo(200);
        await().until(() -> counters.get(ChannelCounter.HTTP_CONNECTIONS_IDLE) >= 1);

        assertThat(handled.get()).as("answers made").isLessThanOrEqualTo(3);
        try (InputStream in = pipelining.getInputStream()) {
            long count = 0;
            byte[] buffer = new byte[1 << 16];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                count += n;
            }
            assertThat(count).isLessThan(1_000L * large.length);
        } catch (SocketException e) {
            assertThat(e.getMessage().toLowerCase(Locale.ROOT)).contains("reset");
        }
    }
}
