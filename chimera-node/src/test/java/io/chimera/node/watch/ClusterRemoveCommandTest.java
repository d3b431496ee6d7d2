package io.chimera.node.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code cluster remove} and {@code cluster drain} against a server that is coordinator and queue node. */
final class ClusterRemoveCommandTest {
    private static final String NOBODY = "127.0.0.1:1";

    private HttpServer server;
    private String address;
    private List<Map<String, Object>> members = List.of();
    private int nodes = 3;
    private int removal = 200;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        address = "127.0.0.1:" + server.getAddress().getPort();
        page(
                "/status",
                () -> Map.of(
                        "nodes",
                        List.of(Map.of(
                                "role",
                                "coordinator",
                                "status",
                                Map.of(
                                        "members",
                                        members,
                                        "groups",
                                        List.of(Map.of("name", "main", "nodes", nodes, "copies", 2)))))));
        page("/-/drain", () -> {
            members = List.of();
            return Map.of("done", "draining");
        });
        page("/-/remove", () -> removal, () -> Map.of(removal == 200 ? "done" : "error", "removed"));
        server.start();
    }

    private void page(String path, Supplier<Map<String, Object>> content) {
        page(path, () -> 200, content);
    }

    private void page(String path, IntSupplier code, Supplier<Map<String, Object>> content) {
        server.createContext(path, exchange -> {
            byte[] bytes = Json.line(content.get()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(code.getAsInt(), bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    @Test
    void saysThatALiveNodeIsDrainedEvenIfLost() {
        member(address);

        Invocation remove = Invocation.of("cluster", "remove", "q1", "--lost", "--http", address);

        assertThat(remove.exitCode()).as(remove.err()).isZero();
        assertThat(remove.out()).contains("--lost has no effect", "q1 has left");
    }

    @Test
    void saysHowManyCopiesStayAndThatTheRemovalGoesOn() {
        member(address);
        Invocation third = Invocation.of("cluster", "remove", "q1", "--http", address);
        nodes = 2;
        member(address);
        Invocation second = Invocation.of("cluster", "remove", "q1", "--http", address);

        assertThat(third.out()).contains("removal goes on").doesNotContain("copy");
        assertThat(second.out()).contains("Journal group main then has 1 of the 2", "1 copy", "removal goes on");
    }

    @Test
    void saysThatACoordinatorNeedsNoDrain() {
        Invocation drain = Invocation.of("cluster", "drain", "c1", "--http", address);

        assertThat(drain.exitCode()).isEqualTo(1);
        assertThat(drain.err()).contains("c1", "Coordinators need no drain", "SIGTERM");
    }

    @Test
    void tellsWhatToDoWithAHangingNode() {
        member(NOBODY);

        Invocation remove = Invocation.of("cluster", "remove", "q1", "--http", address);
        Invocation lost = Invocation.of("cluster", "remove", "q1", "--lost", "--http", address);
        Invocation drain = Invocation.of("cluster", "drain", "q1", "--http", address);

        assertThat(List.of(remove.exitCode(), lost.exitCode(), drain.exitCode()))
                .containsOnly(1);
        assertThat(remove.err()).contains(NOBODY, "stop the process", "cluster remove q1 again");
        assertThat(lost.err()).contains(NOBODY, "stop the process", "repeat", "--lost gives up points");
        assertThat(drain.err()).contains(NOBODY, "stop the process").doesNotContain("remove", "lost");
    }

    /** A processor has the id of a dead queue node. */
    @Test
    void removesTheQueueNodeAndNotTheProcessorWithItsId() {
        members = List.of(member("processor", "127.0.0.1:2"));

        Invocation remove = Invocation.of("cluster", "remove", "q1", "--http", address);

        assertThat(remove.exitCode()).as(remove.err()).isZero();
        assertThat(remove.out()).contains("removed");
    }

    @Test
    void namesTheDrainForAProcessor() {
        removal = 409;
        members = List.of(member("processor", "127.0.0.1:2"));

        Invocation remove = Invocation.of("cluster", "remove", "q1", "--http", address);

        assertThat(remove.exitCode()).isEqualTo(1);
        assertThat(remove.err()).contains("is a processor", "cluster drain");
    }

    @Test
    void drainsNoneOfSeveralNodesWithOneId() {
        members = List.of(member("processor", "127.0.0.1:2"), member("queue", address));

        Invocation any = Invocation.of("cluster", "drain", "q1", "--http", address);
        assertThat(any.exitCode()).isEqualTo(1);
        assertThat(any.err()).contains("--role queue", "127.0.0.1:2");

        Invocation queue = Invocation.of("cluster", "drain", "q1", "--role", "queue", "--http", address);
        assertThat(queue.exitCode()).as(queue.err()).isZero();
        assertThat(queue.out()).contains("q1 has left");
    }

    private void member(String http) {
        members = List.of(member("queue", http));
    }

    private static Map<String, Object> member(String role, String http) {
        return Map.of("role", role, "id", "q1", "group", "main", "http", http, "session", "ab");
    }
}
