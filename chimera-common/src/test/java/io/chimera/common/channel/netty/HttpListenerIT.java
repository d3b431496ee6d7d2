package io.chimera.common.channel.netty;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.Waits;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.channel.Listeners.Limits;
import io.chimera.common.channel.netty.http.Packing;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** HTTP over real sockets for well-behaved clients; see {@link HttpAbuseIT} for abusive clients. */
@ExtendWith(NoLeaks.class)
final class HttpListenerIT {
    static final Endpoint ANY = new Endpoint("127.0.0.1", 0);
    static final Limits LIMITS = new Limits(1 << 20, 100, 8 << 20, 100, 60_000);
    private static final ChannelThreads THREADS = new ChannelThreads("test");

    private final Counters<ChannelCounter> counters = new Counters<>(ChannelCounter.class);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final NettyListeners listeners = new NettyListeners(THREADS, counters, failures::add);

    @AfterAll
    static void closeThreads() {
        THREADS.close();
    }

    @AfterEach
    void closeListeners() {
        listeners.close();
    }

    private RawClient connect(HttpHandler handler) throws IOException {
        return new RawClient(listeners.http(ANY, handler, LIMITS));
    }

    static boolean echo(HttpExchange exchange) {
        exchange.respond(200, "text/plain", new String(exchange.body(), 0, exchange.bodyLength(), UTF_8));
        return true;
    }

    @Test
    void handsOverMethodPathParametersHeadersAndBody() throws IOException {
        HttpHandler handler = exchange -> {
            String text = String.join(
                    "|",
                    exchange.method(),
                    exchange.path(),
                    exchange.parameter("db"),
                    String.valueOf(exchange.parameter("absent")),
                    exchange.header("x-TOKEN"),
                    new String(exchange.body(), 0, exchange.bodyLength(), UTF_8));
            exchange.respond(200, Map.of("X-Answer", "yes"), text.getBytes(UTF_8));
            return true;
        };
        try (RawClient client = connect(handler)) {
            client.post("/api/v2%2Fwrite?db=a%20b&db=c", "X-Token: secret\r\n", "cpu v=1".getBytes(UTF_8));
            RawClient.Answer answer = client.answer();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.headers()).containsEntry("x-answer", "yes");
            assertThat(answer.body()).isEqualTo("POST|/api/v2/write|a b|null|secret|cpu v=1");
        }
    }

    @Test
    void answersWhatCameWholeBeforeItStoppedAndListensNoMore() throws Exception {
        BlockingQueue<HttpExchange> held = new LinkedBlockingQueue<>();
        Endpoint address = listeners.http(ANY, held::add, LIMITS);
        try (RawClient client = new RawClient(address);
                RawClient idle = new RawClient(address)) {
            client.post("/write", "", "cpu v=1".getBytes(UTF_8));
            HttpExchange exchange = held.poll(Waits.SECONDS_MAX, TimeUnit.SECONDS);

            listeners.stop();

            assertThat(listeners.unanswered()).isOne();
            await().until(() -> isRefused(address));
            assertThat(idle.isAtEnd()).isTrue();
            exchange.respond(204, Map.of(), new byte[0]);
            RawClient.Answer answer = client.answer();
            assertThat(answer.status()).isEqualTo(204);
            assertThat(answer.headers()).containsEntry("connection", "close");
            await().until(() -> listeners.unanswered() == 0);
        }
    }

    private static boolean isRefused(Endpoint address) {
        try {
            new RawClient(address).close();
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void refusesARequestThatIsNotWholeWhenItStops() throws Exception {
        Endpoint address = listeners.http(ANY, HttpListenerIT::echo, LIMITS);
        try (RawClient client = new RawClient(address)) {
            client.post("/1", "", "whole".getBytes(UTF_8));
            assertThat(client.answer().status()).isEqualTo(200);
            client.send("POST /2 HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n");
            assertThat(client.answer(false).status()).isEqualTo(100); // the headers have arrived

            listeners.stop();

            RawClient.Answer answer = client.answer();
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body()).contains("The node is stopping.");
            assertThat(listeners.unanswered()).isZero();
        }
    }

    @Test
    void takesTheTargetOfARequestToAProxy() throws IOException {
        try (RawClient client = connect(exchange -> {
            exchange.respond(200, "text/plain", exchange.path() + " " + exchange.parameter("u"));
            return true;
        })) {
            client.send("GET http://host:1/a/b?u=http://x HTTP/1.1\r\nHost: host\r\n\r\n");
            assertThat(client.answer().body()).isEqualTo("/a/b http://x");
            client.send("GET /c?u=http://x HTTP/1.1\r\nHost: host\r\n\r\n");
            assertThat(client.answer().body()).isEqualTo("/c http://x");
        }
    }

    @Test
    void answersManyRequestsOnOneConnection() throws IOException {
        try (RawClient client = connect(HttpListenerIT::echo)) {
            for (int i = 0; i < 100; i++) {
                client.post("/", "", ("body " + i).getBytes(UTF_8));
                assertThat(client.answer().body()).isEqualTo("body " + i);
            }
        }
        assertThat(counters.get(ChannelCounter.HTTP_CONNECTIONS)).isOne();
        assertThat(counters.get(ChannelCounter.HTTP_REQUESTS)).isEqualTo(100);
        assertThat(counters.get(ChannelCounter.HTTP_ANSWERS_GOOD)).isEqualTo(100);
    }

    @Test
    void answersPipelinedRequestsInOrder() throws IOException {
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            String body = "b" + i;
            requests.append("POST / HTTP/1.1\r\nContent-Length: ").append(body.length());
            requests.append("\r\n\r\n").append(body);
        }
        try (RawClient client = connect(HttpListenerIT::echo)) {
            Thread sender = new Thread(() -> sendQuietly(client, requests.toString()));
            sender.start();
            for (int i = 0; i < 5_000; i++) {
                assertThat(client.answer().body()).isEqualTo("b" + i);
            }
        }
    }

    private static void sendQuietly(RawClient client, String text) {
        try {
            client.send(text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void handsOverAPipelinedRequestOnlyAfterTheOneBeforeIsAnswered() throws Exception {
        BlockingQueue<HttpExchange> exchanges = new LinkedBlockingQueue<>();
        try (RawClient client = connect(exchanges::add)) {
            client.send("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n");
            HttpExchange first = exchanges.poll(Waits.SECONDS_MAX, TimeUnit.SECONDS);
            assertThat(first.path()).isEqualTo("/1");
            assertThat(exchanges.poll(50, TimeUnit.MILLISECONDS)).isNull();

            // Answers from this thread instead of the event loop.
            first.respond(200, "text/plain", "one");
            HttpExchange second = exchanges.poll(Waits.SECONDS_MAX, TimeUnit.SECONDS);
            second.respond(200, "text/plain", "two");

            assertThat(client.answer().body()).isEqualTo("one");
            assertThat(client.answer().body()).isEqualTo("two");
            assertThatThrownBy(() -> first.respond(200, "text/plain", "again"))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void answersAClientThatEndsItsOutputAfterTheRequest() throws Exception {
        BlockingQueue<HttpExchange> exchanges = new LinkedBlockingQueue<>();
        try (RawClient client = connect(exchanges::add)) {
            client.send("GET / HTTP/1.1\r\n\r\n");
            client.endOutput();
            exchanges.poll(Waits.SECONDS_MAX, TimeUnit.SECONDS).respond(200, "text/plain", "late");
            assertThat(client.answer().body()).isEqualTo("late");
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @Test
    void invitesTheBodyOfAClientThatAsksFirst() throws IOException {
        try (RawClient client = connect(HttpListenerIT::echo)) {
            client.send("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
            assertThat(client.answer().status()).isEqualTo(100);
            client.send("body");
            assertThat(client.answer().body()).isEqualTo("body");

            client.send("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n");
            assertThat(client.answer().status()).isEqualTo(413);
        }
    }

    @Test
    void takesChunkedBodies() throws IOException {
        try (RawClient client = connect(HttpListenerIT::echo)) {
            client.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
            client.send("A;ext=1\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n");
            assertThat(client.answer().body()).isEqualTo("abc0123456789");
            client.post("/", "", "next".getBytes(UTF_8));
            assertThat(client.answer().body()).isEqualTo("next");
        }
    }

    @Test
    void unpacksBodies() throws IOException {
        byte[] plain = Packing.lines(200_000);
        try (RawClient client = connect(HttpListenerIT::echo)) {
            for (Map.Entry<String, byte[]> packed : Map.of(
                            "gzip", Packing.gzip(plain), "deflate", Packing.zlib(plain), "identity", plain)
                    .entrySet()) {
                client.post("/", "Content-Encoding: " + packed.getKey() + "\r\n", packed.getValue());
                assertThat(client.answer().body()).isEqualTo(new String(plain, UTF_8));
            }
        }
        assertThat(counters.get(ChannelCounter.HTTP_BYTES_UNPACKED)).isEqualTo(3 * 200_000);
        assertThat(counters.get(ChannelCounter.HTTP_BYTES_RECEIVED)).isBetween(200_001L, 500_000L);
    }

    @Test
    void handsARequestOverAgainAfterItWasRefused() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        HttpHandler handler = exchange -> {
            int call = calls.incrementAndGet();
            if (call < 5) {
                assertThat(exchange.attachment()).isEqualTo(call == 1 ? null : call - 1);
                exchange.attach(call);
                return false;
            }
            return echo(exchange);
        };
        try (RawClient client = connect(handler)) {
            client.post("/", "", "patience".getBytes(UTF_8));
            assertThat(client.answer().body()).isEqualTo("patience");
        }
        assertThat(calls).hasValue(5);
        assertThat(counters.get(ChannelCounter.HTTP_REQUESTS_DEFERRED)).isEqualTo(4);
        assertThat(failures).isEmpty();
    }

    @Test
    void triesTheRequestFirstThatHasWaitedLongest() throws IOException {
        AtomicBoolean hasRoom = new AtomicBoolean();
        AtomicInteger calls = new AtomicInteger();
        Map<Thread, List<String>> taken = new ConcurrentHashMap<>();
        HttpHandler handler = exchange -> {
            calls.incrementAndGet();
            if (!hasRoom.get()) {
                return false;
            }
            taken.computeIfAbsent(Thread.currentThread(), loop -> new CopyOnWriteArrayList<>())
                    .add(exchange.path());
            return echo(exchange);
        };
        Endpoint address = listeners.http(ANY, handler, LIMITS);
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            RawClient client = new RawClient(address);
            clients.add(client);
            long before = counters.get(ChannelCounter.HTTP_REQUESTS);
            client.post("/" + i, "", "x".getBytes(UTF_8));
            await().until(() -> counters.get(ChannelCounter.HTTP_REQUESTS) > before);
        }
        int callsBefore = calls.get();
        await().until(() -> calls.get() > callsBefore);

        hasRoom.set(true);

        for (RawClient client : clients) {
            assertThat(client.answer().body()).isEqualTo("x");
            client.close();
        }
        assertThat(taken.values()).allSatisfy(paths -> assertThat(paths).isSorted());
        assertThat(failures).isEmpty();
    }

    @Test
    void answers500WhenTheHandlerFailsAndGoesOn() throws IOException {
        HttpHandler handler = exchange -> {
            switch (exchange.path()) {
                case "/fail" -> throw new IllegalStateException("on purpose");
                case "/overflow" -> throw new StackOverflowError();
                case "/header" -> exchange.respond(200, Map.of("X-Bad", "a\r\nb"), new byte[0]);
                default -> echo(exchange);
            }
            return true;
        };
        try (RawClient client = connect(handler)) {
            for (String path : List.of("/fail", "/overflow", "/header")) {
                client.post(path, "", new byte[0]);
                RawClient.Answer answer = client.answer();
                assertThat(answer.status()).as(path).isEqualTo(500);
                assertThat(answer.body()).contains("\"error\"");
            }
            client.post("/", "", "alive".getBytes(UTF_8));
            assertThat(client.answer().body()).isEqualTo("alive");
        }
        assertThat(failures).hasSize(3);
        assertThat(counters.get(ChannelCounter.HTTP_HANDLERS_FAILED)).isEqualTo(3);
        assertThat(counters.get(ChannelCounter.HTTP_ANSWERS_5XX)).isEqualTo(3);
    }

    @Test
    void sendsNoBodyWhereHttpHasNone() throws IOException {
        HttpHandler handler = exchange -> {
            exchange.respond(exchange.path().equals("/204") ? 204 : 200, Map.of(), "text".getBytes(UTF_8));
            return true;
        };
        try (RawClient client = connect(handler)) {
            client.send("HEAD /200 HTTP/1.1\r\n\r\n");
            assertThat(client.answer(false).headers()).containsEntry("content-length", "4");
            client.send("GET /204 HTTP/1.1\r\n\r\n");
            assertThat(client.answer(false).headers()).doesNotContainKey("content-length");
            client.send("GET /200 HTTP/1.1\r\n\r\n");
            assertThat(client.answer().body()).isEqualTo("text");
        }
    }

    @Test
    void keepsOrClosesTheConnectionAsAsked() throws IOException {
        Endpoint address = listeners.http(ANY, HttpListenerIT::echo, LIMITS);
        try (RawClient client = new RawClient(address)) {
            client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
            assertThat(client.answer().headers()).containsEntry("connection", "keep-alive");
            client.send("GET / HTTP/1.0\r\n\r\n");
            assertThat(client.answer().headers()).containsEntry("connection", "close");
            assertThat(client.isAtEnd()).isTrue();
        }
        try (RawClient client = new RawClient(address)) {
            client.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
            assertThat(client.answer().headers()).containsEntry("connection", "close");
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @Test
    void saysWhoHoldsThePort() {
        Endpoint address = listeners.http(ANY, HttpListenerIT::echo, LIMITS);
        assertThatThrownBy(() -> listeners.http(address, HttpListenerIT::echo, LIMITS))
                .isInstanceOf(ChimeraException.class)
                .hasMessage("Cannot listen on " + address + ": Address already in use. Stop the program that uses the"
                        + " port (ss -ltnp 'sport = :" + address.port() + "') or set another address.");
    }

    @Test
    void saysWhatIsWrongWithAnAddress() {
        assertThatThrownBy(() -> listeners.http(new Endpoint("192.0.2.1", 0), HttpListenerIT::echo, LIMITS))
                .hasMessage("Cannot listen on 192.0.2.1:0: Cannot assign requested address. Set an address of this"
                        + " machine (ip address show), or 0.0.0.0 for all of them.");
        assertThatThrownBy(() -> listeners.http(new Endpoint("nowhere.invalid", 0), HttpListenerIT::echo, LIMITS))
                .hasMessageStartingWith("Cannot listen on nowhere.invalid:0: unknown host name.");
    }

    @Test
    void closesConnectionsWithTheListeners() throws IOException {
        try (RawClient client = connect(HttpListenerIT::echo)) {
            client.post("/", "", new byte[0]);
            client.answer();
            listeners.close();
            assertThat(client.isAtEnd()).isTrue();
        }
        await().untilAsserted(() -> assertThat(failures).isEmpty());
    }

    /** A body as sent by KairosDB's own clients. */
    @Test
    void unpacksABodyOfTypeGzip() throws IOException {
        try (RawClient client = connect(HttpListenerIT::echo)) {
            client.post("/a", "Content-Type: Application/gzip\r\n", Packing.gzip("plain".getBytes(UTF_8)));
            assertThat(client.answer().body()).isEqualTo("plain");
            client.post(
                    "/a",
                    "Content-Type: application/x-gzip; a=b\r\nContent-Encoding: gzip\r\n",
                    Packing.gzip("once".getBytes(UTF_8)));
            assertThat(client.answer().body()).isEqualTo("once");
            client.post("/a", "Content-Type: application/gzipped\r\n", "as it is".getBytes(UTF_8));
            assertThat(client.answer().body()).isEqualTo("as it is");
        }
        try (RawClient client = connect(HttpListenerIT::echo)) {
            client.post("/a", "Content-Type: application/gzip\r\n", "no gzip".getBytes(UTF_8));
            assertThat(client.answer().status()).isEqualTo(400);
        }
    }
}
