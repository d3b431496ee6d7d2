package io.chimera.common.channel.netty;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.Waits;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.HttpAnswer;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Answers in parts over real sockets. */
@ExtendWith(NoLeaks.class)
final class HttpAnswerIT {
    private static final ChannelThreads THREADS = new ChannelThreads("test");

    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final NettyListeners listeners =
            new NettyListeners(THREADS, new Counters<>(ChannelCounter.class), failures::add);
    private final HttpClient client = HttpClient.newHttpClient();
    private final CompletableFuture<Throwable> ended = new CompletableFuture<>();

    @AfterAll
    static void closeThreads() {
        THREADS.close();
    }

    @AfterEach
    void closeListeners() {
        listeners.close();
        assertThat(failures).isEmpty();
    }

    @Test
    void partsArriveAsOneBodyAndTheConnectionServesOn() throws Exception {
        byte[] part = new byte[100_000];
        Endpoint address = listen(answer -> {
            for (int i = 0; i < 50; i++) {
                answer.write(part, 10, part.length - 10);
            }
            answer.end();
        });
        for (int i = 0; i < 3; i++) {
            HttpResponse<byte[]> answer = client.send(request(address), BodyHandlers.ofByteArray());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).hasSize(50 * 99_990);
        }
        await().until(() -> listeners.unanswered() == 0);
    }

    @Test
    void anAnswerThatIsNotWholeLooksBroken() throws Exception {
        Endpoint address = listen(answer -> answer.write(new byte[10], 0, 10));
        assertThatThrownBy(() -> client.send(request(address), BodyHandlers.ofByteArray()))
                .isInstanceOf(IOException.class);
        await().until(() -> listeners.unanswered() == 0);
    }

    @Test
    void aClientThatGoesAwayEndsTheAnswer() throws Exception {
        byte[] part = new byte[1 << 20];
        Endpoint address = listen(answer -> {
            for (int i = 0; i < 1000; i++) {
                answer.write(part, 0, part.length);
            }
        });
        try (RawClient raw = new RawClient(address)) {
            raw.post("/query", "", new byte[0]);
            raw.reset();
        }
        assertThat(ended.get(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isInstanceOf(ChimeraException.class);
        await().until(() -> listeners.unanswered() == 0);
    }

    @Test
    void aClientOfTheOldVersionReadsToTheEnd() throws Exception {
        Endpoint address = listen(answer -> {
            answer.write("parts".getBytes(UTF_8), 0, 5);
            answer.end();
        });
        try (RawClient raw = new RawClient(address)) {
            raw.send("GET /query HTTP/1.0\r\n\r\n");
            raw.readToEnd();
        }
        assertThat(ended.get(Waits.SECONDS_MAX, TimeUnit.SECONDS)).hasMessage("none");
    }

    @Test
    void aClientOfTheOldVersionSeesWhetherAnAnswerIsWholeThoughItAsksToStay() throws Exception {
        assertThat(isReset(HttpAnswer::end)).isFalse();
        assertThat(isReset(answer -> {})).as("not ended").isTrue();
        assertThat(isReset(HttpAnswer::cutOff)).as("cut off").isTrue();
        await().until(() -> listeners.unanswered() == 0);
    }

    private boolean isReset(Consumer<HttpAnswer> end) throws IOException {
        Endpoint address = listen(answer -> {
            answer.write("parts".getBytes(UTF_8), 0, 5);
            end.accept(answer);
        });
        try (RawClient raw = new RawClient(address)) {
            raw.send("GET /query HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
            return raw.isReset();
        }
    }

    @Test
    void aClientThatGoesAwayIsSeenWhileNothingIsSent() throws Exception {
        CompletableFuture<HttpExchange> watched = new CompletableFuture<>();
        Endpoint address = listeners.http(
                new Endpoint("127.0.0.1", 0),
                exchange -> {
                    exchange.watch();
                    watched.complete(exchange);
                    return true;
                },
                HttpListenerIT.LIMITS);
        HttpExchange exchange;
        try (RawClient raw = new RawClient(address)) {
            raw.post("/query", "", new byte[0]);
            exchange = watched.get(Waits.SECONDS_MAX, TimeUnit.SECONDS);
            assertThat(exchange.isGone()).isFalse();
            raw.reset();
        }
        await().until(exchange::isGone);
        exchange.respond(200, Map.of(), new byte[0]);
        await().until(() -> listeners.unanswered() == 0);
    }

    @Test
    void aRequestThatComesWhileAnotherIsWatchedIsAnsweredAfterIt() throws Exception {
        List<HttpExchange> exchanges = new CopyOnWriteArrayList<>();
        Endpoint address = listeners.http(
                new Endpoint("127.0.0.1", 0),
                exchange -> {
                    exchange.watch();
                    exchanges.add(exchange);
                    return true;
                },
                HttpListenerIT.LIMITS);
        try (RawClient raw = new RawClient(address)) {
            raw.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\n");
            await().until(() -> exchanges.size() == 1);
            raw.send("GET /second HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            exchanges.get(0).respond(200, "text/plain", "one");
            await().until(() -> exchanges.size() == 2);
            exchanges.get(1).respond(200, "text/plain", "two");
            raw.readToEnd();
        }
        await().until(() -> listeners.unanswered() == 0);
    }

    private Endpoint listen(Consumer<HttpAnswer> sender) {
        return listeners.http(
                new Endpoint("127.0.0.1", 0),
                exchange -> {
                    new Thread(() -> send(exchange, sender)).start();
                    return true;
                },
                HttpListenerIT.LIMITS);
    }

    private void send(HttpExchange exchange, Consumer<HttpAnswer> sender) {
        try (HttpAnswer answer = exchange.respondInParts(200, Map.of("X-Answer", "yes"))) {
            sender.accept(answer);
            ended.complete(new IllegalStateException("none"));
        } catch (RuntimeException e) {
            ended.complete(e);
        }
    }

    private static HttpRequest request(Endpoint address) {
        return HttpRequest.newBuilder(URI.create("http://" + address + "/query"))
                .GET()
                .build();
    }
}
