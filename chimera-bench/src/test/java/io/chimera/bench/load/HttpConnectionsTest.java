package io.chimera.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class HttpConnectionsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ConcurrentLinkedQueue<String> bodies = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile int status = 204;
    private HttpServer server;
    private List<String> targets;

    @BeforeEach
    void startTheServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/write", exchange -> {
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), US_ASCII));
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        targets = List.of("127.0.0.1:" + server.getAddress().getPort());
    }

    @AfterEach
    void stopTheServer() {
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void allBodiesAreSentOnce() throws Exception {
        BodySource source = BodySource.repeating("aabbcc".getBytes(US_ASCII), 2);

        try (HttpConnections connections = new HttpConnections(targets, 3)) {
            connections.sendAll(PATIENCE, 7, source);
        }

        assertThat(bodies).containsExactlyInAnyOrder("aa", "bb", "cc", "aa", "bb", "cc", "aa");
    }

    @Test
    void aServerThatRefusesIsTold() throws Exception {
        status = 400;

        try (HttpConnections connections = new HttpConnections(targets, 2)) {
            assertThatThrownBy(() -> connections.sendAll(PATIENCE, 2, body -> ByteBuffer.allocate(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("answered 400");
        }
    }

    @Test
    void aBodyIsOfferedOnce() throws Exception {
        status = 503;
        ConcurrentLinkedQueue<Boolean> accepted = new ConcurrentLinkedQueue<>();

        try (HttpConnections connections = new HttpConnections(targets, 1)) {
            connections.run(PATIENCE, connection -> {
                accepted.add(connection.offer(ByteBuffer.wrap("aa".getBytes(US_ASCII))));
                status = 204;
                accepted.add(connection.offer(ByteBuffer.wrap("bb".getBytes(US_ASCII))));
            });
        }

        assertThat(accepted).containsExactly(false, true);
        assertThat(bodies).containsExactly("aa", "bb");
    }

    @Test
    void patienceEnds() throws Exception {
        CountDownLatch never = new CountDownLatch(1);

        try (HttpConnections connections = new HttpConnections(targets, 2)) {
            assertThatThrownBy(() -> connections.run(Duration.ZERO, connection -> never.await()))
                    .isInstanceOf(IOException.class)
                    .hasMessage("Requests were not sent and answered within 0 s.");
        }
    }
}
