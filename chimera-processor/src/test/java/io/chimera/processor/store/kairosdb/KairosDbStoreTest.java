package io.chimera.processor.store.kairosdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.StoreException;
import io.chimera.common.error.ChimeraException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The store with servers that do not behave like KairosDB. */
final class KairosDbStoreTest {
    private static final List<Row> ROWS = List.of(Row.ofLong("m", Tags.of(Map.of("a", "b")), 1, 1));

    private static void write(String url) throws StoreException {
        try (KairosDbStore store = new KairosDbStore(url, 100, Duration.ofMillis(300), true)) {
            store.write(ROWS);
        }
    }

    private static void assertFails(String url, boolean retryable, String... words) {
        assertThatThrownBy(() -> write(url))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.retryable()).isEqualTo(retryable))
                .hasMessageContainingAll(words)
                .hasMessageContaining(url);
    }

    @Test
    void refusesAddressThatIsNone() {
        assertThatThrownBy(() -> write("kairos:8080x"))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("kairos:8080x")
                .hasMessageContaining("http://");
    }

    @Test
    void wantsToTryAgainWhenNobodyListens() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertFails("http://127.0.0.1:" + port, true, "cannot be reached", "refused", "Start");
    }

    @Test
    void wantsToTryAgainWhenNoAnswerComes() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            assertFails("http://127.0.0.1:" + silent.getLocalPort(), true, "cannot be reached", "timed out");
        }
    }

    @Test
    void wantsToTryAgainAfterErrorsOfTheServer() throws IOException {
        for (int status : new int[] {429, 500, 502, 503, 404, 301}) {
            HttpServer server = answering(status, "<html>  overloaded\n</html>");
            assertFails("http://127.0.0.1:" + server.getAddress().getPort(), true, "" + status, "overloaded");
            server.stop(0);
        }
    }

    @Test
    void givesConnectionsBackWhoseAnswersItsClientCannotRead() throws IOException {
        HttpServer server = answering(200, "{\"queries\":[]}");
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        try (KairosDbStore store = new KairosDbStore(url, 100, Duration.ofMillis(300), true)) {
            for (int i = 0; i < 10; i++) {
                assertThatThrownBy(() -> store.read(ROWS))
                        .as("the answer has no content type")
                        .isInstanceOf(StoreException.class)
                        .hasMessageNotContaining("pool");
            }
        }
        server.stop(0);
    }

    @Test
    void doesNotTryContentAgainThatIsRefused() throws IOException {
        for (int status : new int[] {400, 413}) {
            HttpServer server = answering(status, "{\"errors\":[\"no such " + "x".repeat(10_000) + "\"]}");
            assertFails("http://127.0.0.1:" + server.getAddress().getPort(), false, "" + status, "no such");
            server.stop(0);
        }
    }

    @Test
    void doesNotTryContentAgainThatItsClientRefuses() {
        try (KairosDbStore store = new KairosDbStore("http://127.0.0.1:1", 100, Duration.ofMillis(300), true)) {
            assertThatThrownBy(() -> store.write(List.of(Row.ofLong("m", Tags.NONE, 1, 1))))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.retryable()).isFalse())
                    .hasMessageContaining("at least one tag");
        }
    }

    private static HttpServer answering(int status, String body) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        return server;
    }
}
