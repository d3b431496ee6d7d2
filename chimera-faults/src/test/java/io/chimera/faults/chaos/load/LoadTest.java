package io.chimera.faults.chaos.load;

import static java.util.concurrent.ConcurrentHashMap.newKeySet;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.chimera.faults.chaos.access.ClientAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class LoadTest {
    private static final int REQUESTS = 12;
    private static final int CLIENTS = 2;
    private static final Duration EVERY = Duration.ofMillis(10);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final List<String> bodies = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, Set<Integer>> connectionsOfKey = new ConcurrentHashMap<>();
    private final CountDownLatch enough = new CountDownLatch(REQUESTS);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.stop(0);
        }
        threads.shutdownNow();
    }

    @Test
    void whatIsAcknowledgedIsRememberedAsOneGenerationPerLane() throws Exception {
        ClientLoad load = loadOn(answering(number -> 204));

        load.start();
        enough.await();
        List<Generation> sent = load.finish();

        assertThat(sent).hasSize(2).noneMatch(Generation::ambiguous);
        assertThat(sent.stream().mapToLong(Generation::acknowledged).sum()).isEqualTo(bodies.size());
        assertThat(bodies).doesNotHaveDuplicates();
        assertThat(load.wrongAnswers()).isEmpty();
    }

    @Test
    void whatIsRefusedIsInDoubtAndNeverSentAgain() throws Exception {
        ClientLoad load = loadOn(answering(number -> number % 3 == 0 ? 503 : 204));

        load.start();
        enough.await();
        List<Generation> sent = load.finish();

        assertThat(sent).anyMatch(Generation::ambiguous);
        assertThat(sent.stream()
                        .mapToLong(generation -> generation.acknowledged() + (generation.ambiguous() ? 1 : 0))
                        .sum())
                .isEqualTo(bodies.size());
        assertThat(bodies.stream().map(LoadTest::keysAndValues)).doesNotHaveDuplicates();
        assertThat(load.wrongAnswers()).isEmpty();
    }

    @Test
    void whatIsNotAnsweredIsInDoubt() throws Exception {
        ClientLoad load = loadOn(answering(number -> number % 4 == 0 ? 0 : 204));

        load.start();
        enough.await();
        List<Generation> sent = load.finish();

        assertThat(sent).anyMatch(Generation::ambiguous);
        assertThat(bodies.stream().map(LoadTest::keysAndValues)).doesNotHaveDuplicates();
    }

    @Test
    void whatMetNobodyIsTriedAgain() throws Exception {
        int port = freePort();
        ClientLoad load = new ClientLoad(1, Map.of("q1", "127.0.0.1:" + port), ClientAccess.OPEN, CLIENTS, EVERY);
        load.start();
        answering(number -> 204, port);

        enough.await();
        List<Generation> sent = load.finish();

        assertThat(sent).hasSize(2).noneMatch(Generation::ambiguous);
        assertThat(sent.stream().mapToLong(Generation::acknowledged).sum()).isEqualTo(bodies.size());
    }

    @Test
    void answersThatGoodPointsShouldNotGetAreTold() throws Exception {
        ClientLoad load = loadOn(answering(number -> 400));

        load.start();
        enough.await();
        load.finish();

        assertThat(load.wrongAnswers()).hasSize(2).allMatch(answer -> answer.contains("answered 400"));
    }

    @Test
    void waitsOfTheVictimsClientsAreLeftOut() throws Exception {
        long beforeNs = System.nanoTime();
        ClientLoad load = loadOn(answering(number -> 204));
        load.start();
        enough.await();
        load.finish();

        long farNs = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
        assertThat(load.longestWaitNs(beforeNs, farNs, Set.of())).isGreaterThan(TimeUnit.MINUTES.toNanos(59));
        assertThat(load.longestWaitNs(beforeNs, farNs, Set.of("q1"))).isZero();
    }

    @Test
    void eachGenerationUsesOneConnection() throws Exception {
        ClientLoad load = loadOn(answering(number -> number % 3 == 0 ? 503 : 204));

        load.start();
        enough.await();
        load.finish();

        assertThat(connectionsOfKey).isNotEmpty().allSatisfy((key, connections) -> assertThat(connections)
                .as(key)
                .hasSize(1));
    }

    @Test
    void pausesWithoutARequestInFlightAndContinues() throws Exception {
        ClientLoad load = loadOn(answering(number -> 204));
        load.start();
        enough.await();

        assertThat(load.pause(PATIENCE)).isTrue();
        int before = bodies.size();
        assertThat(load.awaitAcknowledged(Set.of("q1"), Duration.ofMillis(1))).isFalse();
        assertThat(bodies).hasSize(before);

        load.resume(Set.of("q2"));
        assertThat(load.awaitAcknowledged(Set.of("q1"), Duration.ofMillis(1))).isFalse();
        load.resume(Set.of("q1"));
        assertThat(load.awaitAcknowledged(Set.of("q1"), PATIENCE)).isTrue();
        load.finish();

        assertThat(bodies).hasSizeGreaterThan(before);
    }

    private static ClientLoad loadOn(int port) {
        return new ClientLoad(1, Map.of("q1", "127.0.0.1:" + port), ClientAccess.OPEN, CLIENTS, EVERY);
    }

    /** Returns a batch without its time stamps. */
    private static String keysAndValues(String body) {
        return body.replaceAll(" \\d+\n", "\n");
    }

    private interface Answer {
        /** Returns the status for a request, numbered from 0; 0 closes the connection. */
        int status(int number);
    }

    private int answering(Answer answer) throws IOException {
        return answering(answer, 0);
    }

    private int answering(Answer answer, int port) throws IOException {
        AtomicInteger number = new AtomicInteger();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(threads);
        server.createContext("/write", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII);
            connectionsOfKey
                    .computeIfAbsent(body.substring(0, body.indexOf('k', body.indexOf('='))), key -> newKeySet())
                    .add(exchange.getRemoteAddress().getPort());
            bodies.add(body);
            respond(exchange, answer.status(number.getAndIncrement()));
            enough.countDown();
        });
        server.start();
        return server.getAddress().getPort();
    }

    private static void respond(HttpExchange exchange, int status) throws IOException {
        if (status != 0) {
            exchange.sendResponseHeaders(status, -1);
        }
        exchange.close();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
