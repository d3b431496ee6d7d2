package io.chimera.common.channel.netty;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.Waits;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.Listeners.Limits;
import io.chimera.common.channel.netty.http.HttpPort;
import io.chimera.common.channel.netty.http.Packing;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** HTTP over real sockets: compression bombs, abusive, broken and disconnected clients. */
@ExtendWith(NoLeaks.class)
final class HttpAbuseIT {
    private static final Endpoint ANY = HttpListenerIT.ANY;
    private static final int MIB = 1 << 20;
    private static final ChannelThreads THREADS = new ChannelThreads("test");

    private final Counters<ChannelCounter> counters = new Counters<>(ChannelCounter.class);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final NettyListeners listeners = new NettyListeners(THREADS, counters, failures::add);
    private final AtomicInteger handled = new AtomicInteger();

    @AfterAll
    static void closeThreads() {
        THREADS.close();
    }

    @AfterEach
    void closeListeners() {
        listeners.close();
        assertThat(failures).isEmpty();
    }

    private boolean count(HttpExchange exchange) {
        handled.incrementAndGet();
        exchange.respond(200, "text/plain", String.valueOf(exchange.bodyLength()));
        return true;
    }

    private Endpoint listen(Limits limits) {
        return listeners.http(ANY, this::count, limits);
    }

    private static Limits limits(int bodyBytesMax, int ratioMax) {
        return new Limits(bodyBytesMax, ratioMax, 64 * MIB, 100, 60_000);
    }

    private void refuses(Endpoint address, String headers, byte[] body, int status, String message) throws IOException {
        try (RawClient client = new RawClient(address)) {
            client.post("/", headers, body);
            RawClient.Answer answer = client.answer();
            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.body()).startsWith("{\"error\":\"" + message).endsWith("\"}\n");
            assertThat(answer.headers()).containsEntry("connection", "close").containsKey("content-type");
            client.endOutput();
            assertThat(client.isAtEnd()).isTrue();
        }
        assertThat(handled).hasValue(0);
    }

    @Test
    void refusesBombsByTheirRatio() throws IOException {
        Endpoint address = listen(limits(20 * MIB, 100));
        String message = "The body decompresses to more than 100 times its size. Send it uncompressed.";
        refuses(address, "Content-Encoding: gzip\r\n", Packing.gzip(new byte[10 * MIB]), 413, message);
        refuses(address, "Content-Encoding: deflate\r\n", Packing.zlib(new byte[10 * MIB]), 413, message);
        assertThat(counters.get(ChannelCounter.HTTP_BODIES_TOO_LARGE)).isEqualTo(2);
        assertThat(counters.get(ChannelCounter.HTTP_ANSWERS_4XX)).isEqualTo(2);
    }

    @Test
    void refusesBombsByTheirSize() throws IOException {
        refuses(
                listen(limits(20 * MIB, 10_000)),
                "Content-Encoding: gzip\r\n",
                Packing.gzip(new byte[20 * MIB + 1]),
                413,
                "The decompressed body has more than 20971520 bytes. Send smaller batches.");
    }

    @Test
    void takesBodiesThatJustFit() throws IOException {
        Endpoint address = listen(limits(20 * MIB, 10_000));
        try (RawClient client = new RawClient(address)) {
            client.post("/", "Content-Encoding: gzip\r\n", Packing.gzip(new byte[20 * MIB]));
            assertThat(client.answer().body()).isEqualTo("20971520");
            client.post("/", "", new byte[20 * MIB]);
            assertThat(client.answer().body()).isEqualTo("20971520");
        }
    }

    @Test
    void takesSmallBodiesThatPackWell() throws IOException {
        try (RawClient client = new RawClient(listen(limits(20 * MIB, 100)))) {
            client.post("/", "Content-Encoding: gzip\r\n", Packing.gzip(new byte[HttpPort.RATIO_FREE_BYTES]));
            assertThat(client.answer().body()).isEqualTo("65536");
        }
    }

    @Test
    void refusesPlainBodiesBeyondTheLimitBeforeAndWhileTheyCome() throws IOException {
        Endpoint address = listen(limits(MIB, 100));
        String message = "The body has more than 1048576 bytes. Send smaller batches.";
        refuses(address, "", new byte[MIB + 1], 413, message);
        try (RawClient client = new RawClient(address)) {
            client.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < 17; i++) {
                client.send("10000\r\n");
                client.send(new byte[0x10000]);
                client.send("\r\n");
            }
            RawClient.Answer answer = client.answer();
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.body()).contains(message);
        }
    }

    @Test
    void refusesBodiesThatDoNotUnpack() throws IOException {
        Endpoint address = listen(limits(MIB, 100));
        byte[] whole = Packing.gzip(Packing.lines(10_000));
        byte[] damaged = whole.clone();
        damaged[whole.length - 6] ^= 1;
        refuses(address, "Content-Encoding: gzip\r\n", damaged, 400, "The body is not valid gzip: CRC");
        refuses(
                address,
                "Content-Encoding: gzip\r\n",
                Arrays.copyOf(whole, whole.length / 2),
                400,
                "The body is not valid gzip: Compressed stream ended");
        refuses(address, "Content-Encoding: gzip\r\n", "cpu v=1".getBytes(UTF_8), 400, "The body is not valid gzip: ");
        refuses(
                address,
                "Content-Encoding: br\r\n",
                whole,
                415,
                "Content-Encoding 'br' is not supported; use gzip, deflate or none.");
        assertThat(counters.get(ChannelCounter.HTTP_REQUESTS_MALFORMED)).isEqualTo(4);
    }

    @Test
    void answersMalformedRequestsInPlainWords() throws IOException {
        Endpoint address = listen(limits(MIB, 100));
        answers(address, "no request at all\r\n\r\n", 400);
        answers(address, "GET / HTTP/1.1\r\nBad Header\r\n\r\n", 400);
        answers(address, "GET /%zz HTTP/1.1\r\n\r\n", 400);
        answers(address, "POST / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", 400);
        answers(address, "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400);
        answers(address, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400);
        answers(address, "GET /" + "a".repeat(9_000) + " HTTP/1.1\r\n\r\n", 414);
        answers(address, "GET / HTTP/1.1\r\nA: " + "a".repeat(17_000) + "\r\n\r\n", 431);
        answers(address, "POST / HTTP/1.1\r\nExpect: miracles\r\nContent-Length: 1\r\n\r\n", 417);
        answers(address, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505);
        assertThat(handled).hasValue(0);
        assertThat(counters.get(ChannelCounter.HTTP_REQUESTS_MALFORMED)).isEqualTo(10);
    }

    private static void answers(Endpoint address, String request, int status) throws IOException {
        try (RawClient client = new RawClient(address)) {
            client.send(request);
            RawClient.Answer answer = client.answer();
            assertThat(answer.status()).as(request.substring(0, 20)).isEqualTo(status);
            assertThat(answer.body()).startsWith("{\"error\":\"");
        }
    }

    @Test
    void answers503WhenTheBodiesOnTheWayFillTheirBound() throws Exception {
        BlockingQueue<HttpExchange> exchanges = new LinkedBlockingQueue<>();
        Limits limits = new Limits(MIB, 100, MIB, 100, 60_000);
        Endpoint address = listeners.http(ANY, exchanges::add, limits);
        try (RawClient first = new RawClient(address);
                RawClient second = new RawClient(address);
                RawClient third = new RawClient(address)) {
            first.post("/", "", new byte[MIB]);
            HttpExchange exchange = exchanges.poll(Waits.SECONDS_MAX, TimeUnit.SECONDS);
            second.post("/", "", new byte[1]);
            RawClient.Answer refused = second.answer();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.headers()).containsEntry("retry-after", "1");

            exchange.respond(204, Map.of(), new byte[0]);
            assertThat(first.answer().status()).isEqualTo(204);
            third.post("/", "", new byte[MIB]);
            exchanges.poll(Waits.SECONDS_MAX, TimeUnit.SECONDS).respond(204, Map.of(), new byte[0]);
            assertThat(third.answer().status()).isEqualTo(204);
        }
        assertThat(counters.get(ChannelCounter.HTTP_BODIES_NO_ROOM)).isOne();
    }

    @Test
    void forgetsAClientThatVanishesInTheMiddleOfABody() throws IOException {
        Limits limits = new Limits(MIB, 100, MIB, 100, 60_000);
        Endpoint address = listen(limits);
        for (int i = 1; i <= 2; i++) {
            RawClient client = new RawClient(address);
            client.send("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1000000\r\n\r\n");
            assertThat(client.answer().status()).isEqualTo(100);
            client.send(new byte[900_000]);
            if (i == 1) {
                client.reset();
            } else {
                client.close();
            }
            int vanished = i;
            await().until(() -> counters.get(ChannelCounter.HTTP_REQUESTS_BROKEN) == vanished);
        }
        assertThat(handled).hasValue(0);
        // The bytes of the ended request no longer count: a body of the whole limit fits.
        try (RawClient client = new RawClient(address)) {
            client.post("/", "", new byte[MIB]);
            assertThat(client.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void forgetsAClientThatVanishesWhileTheHandlerHasNoRoom() throws Exception {
        Limits limits = new Limits(MIB, 100, MIB, 100, 60_000);
        AtomicInteger calls = new AtomicInteger();
        Endpoint address = listeners.http(
                ANY,
                exchange -> {
                    if (exchange.path().equals("/stuck")) {
                        calls.incrementAndGet();
                        return false;
                    }
                    return count(exchange);
                },
                limits);
        RawClient stuck = new RawClient(address);
        stuck.post("/stuck", "", new byte[MIB]);
        await().until(() -> calls.get() > 3);
        // Reading is paused, so only closing the listener ends the connection; other clients are answered.
        try (RawClient client = new RawClient(address)) {
            client.send("GET / HTTP/1.1\r\n\r\n");
            assertThat(client.answer().status()).isEqualTo(200);
        }
        stuck.reset();
        listeners.close();
        int callsAtEnd = calls.get();
        await().pollDelay(Duration.ofMillis(20)).until(() -> calls.get() == callsAtEnd);
    }

    @Test
    void closesHalfOpenConnections() throws IOException {
        Endpoint address = listen(new Limits(MIB, 100, MIB, 100, 200));
        try (RawClient silent = new RawClient(address);
                RawClient inHeaders = new RawClient(address);
                RawClient inBody = new RawClient(address)) {
            inHeaders.send("GET / HTTP/1.1\r\nA: ");
            inBody.send("POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\n123");
            assertThat(silent.isAtEnd()).isTrue();
            assertThat(inHeaders.isAtEnd()).isTrue();
            assertThat(inBody.isAtEnd()).isTrue();
        }
        assertThat(counters.get(ChannelCounter.HTTP_CONNECTIONS_IDLE)).isEqualTo(3);
    }

    @Test
    void closesConnectionsThatDripHeaders() throws Exception {
        Endpoint address = listen(new Limits(MIB, 100, MIB, 100, 300));
        try (RawClient client = new RawClient(address)) {
            client.send("GET / HTTP/1.1\r\nA: ");
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            client.send("a");
                            TimeUnit.MILLISECONDS.sleep(20);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
        assertThat(counters.get(ChannelCounter.HTTP_CONNECTIONS_IDLE)).isOne();
    }

    @Test
    void keepsAConnectionWhoseHandlerIsSlow() throws Exception {
        BlockingQueue<HttpExchange> exchanges = new LinkedBlockingQueue<>();
        Endpoint address = listeners.http(ANY, exchanges::add, new Limits(MIB, 100, MIB, 100, 100));
        try (RawClient client = new RawClient(address)) {
            client.send("GET / HTTP/1.1\r\n\r\n");
            HttpExchange exchange = exchanges.poll(Waits.SECONDS_MAX, TimeUnit.SECONDS);
            TimeUnit.MILLISECONDS.sleep(300);
            exchange.respond(200, "text/plain", "at last");
            assertThat(client.answer().body()).isEqualTo("at last");
        }
    }

    @Test
    void refusesConnectionsBeyondTheirNumber() throws IOException {
        Endpoint address = listen(new Limits(MIB, 100, MIB, 1, 60_000));
        try (RawClient first = new RawClient(address)) {
            first.send("GET / HTTP/1.1\r\n\r\n");
            assertThat(first.answer().status()).isEqualTo(200);
            try (RawClient second = new RawClient(address)) {
                RawClient.Answer answer = second.answer();
                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.body()).contains("More than 1 connections are open.");
            }
        }
        assertThat(counters.get(ChannelCounter.HTTP_CONNECTIONS_REFUSED)).isOne();
        await().untilAsserted(() -> {
            try (RawClient again = new RawClient(address)) {
                again.send("GET / HTTP/1.1\r\n\r\n");
                assertThat(again.answer().status()).isEqualTo(200);
            }
        });
    }

    @Test
    void holdsOneAnswerForAClientThatDoesNotRead() throws Exception {
        byte[] large = new byte[8 * MIB];
        AtomicInteger calls = new AtomicInteger();
        Endpoint address = listeners.http(
                ANY,
                exchange -> {
                    calls.incrementAndGet();
                    exchange.respond(200, Map.of(), large);
                    return true;
                },
                new Limits(MIB, 100, MIB, 100, 300));
        try (RawClient client = new RawClient(address, 8 << 10)) {
            client.send("GET / HTTP/1.1\r\n\r\n".repeat(100));
            await().until(() -> counters.get(ChannelCounter.HTTP_CONNECTIONS_IDLE) == 1);
        }
        assertThat(calls).hasValue(1);
    }
}
