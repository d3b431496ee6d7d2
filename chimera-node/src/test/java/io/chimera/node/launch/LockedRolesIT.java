package io.chimera.node.launch;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.access.HttpRoute;
import io.chimera.common.access.HttpRoute.Surface;
import io.chimera.node.ChimeraHome;
import io.chimera.node.watch.NodeClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks every listening port of each role in its own process: the answer to a client without credentials. */
@Tag("it")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
final class LockedRolesIT {
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Process> nodes = new ArrayList<>();

    @TempDir
    Path folder;

    private Process start(Path file, String role, String id, String nodeHttp) throws IOException {
        Process node = new ProcessBuilder(ChimeraHome.find()
                        .nodeCommand(
                                List.of("-Xmx128m"),
                                List.of(
                                        "run",
                                        role,
                                        "-c",
                                        file.toString(),
                                        "--set",
                                        "node.id=" + id,
                                        "--set",
                                        "node.http=" + nodeHttp,
                                        "--set",
                                        "node.data_dir=" + folder.resolve(id))))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(id + ".log").toFile())
                .start();
        nodes.add(node);
        return node;
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Process node : nodes) {
            node.destroyForcibly().waitFor();
        }
    }

    @Test
    void eachRoleListensOnItsPortsOnlyAndAnswersNobodyWithoutCredentials() throws Exception {
        List<String> free = ListeningPorts.free(8);
        String zooKeeper = free.get(0);
        String coordinatorHttp = free.get(1);
        String queueHttp = free.get(2);
        String processorHttp = free.get(3);
        String queue = free.get(4);
        String processor = free.get(5);
        String influx = free.get(6);
        String influxTcp = free.get(7);
        Path tokens = Files.writeString(
                folder.resolve("tokens.yaml"),
                "tokens: { root: { sha256: %s, roles: [admin] } }".formatted("0".repeat(64)));
        Path file = Files.writeString(folder.resolve("chimera.yaml"), """
            node: { host: 127.0.0.1, tokens: "%s" }
            coordinator: { connect: "%s", embedded: { run: always, address: "%s" } }
            queue: { address: "%s", journal: { max_bytes: 256MiB, reserve: 1MiB } }
            processor: { address: "%s" }
            inputs: { influx: { http: "%s", tcp: "%s", udp: "%s", allow: [192.0.2.0/24] } }
            pipelines: { all: { stores: [kairos] } }
            stores: { kairos: {} }
            """.formatted(
                        tokens, zooKeeper, zooKeeper, queue, processor, influx, influxTcp, influxTcp));
        Process coordinatorNode = start(file, "coordinator", "c1", coordinatorHttp);
        Process queueNode = start(file, "queue", "q1", queueHttp);
        Process processorNode = start(file, "processor", "p1", processorHttp);
        NodeClient client = new NodeClient();
        for (String port : List.of(coordinatorHttp, queueHttp, processorHttp)) {
            await().until(() -> client.isReady(port));
        }

        assertThat(ListeningPorts.of(coordinatorNode, "tcp")).containsExactlyInAnyOrder(coordinatorHttp, zooKeeper);
        assertThat(ListeningPorts.of(queueNode, "tcp")).containsExactlyInAnyOrder(queueHttp, queue, influx, influxTcp);
        assertThat(ListeningPorts.of(processorNode, "tcp")).containsExactlyInAnyOrder(processorHttp, processor);
        assertThat(ListeningPorts.of(queueNode, "udp")).containsExactly(influxTcp);
        assertThat(ListeningPorts.of(coordinatorNode, "udp")).isEmpty();
        assertThat(ListeningPorts.of(processorNode, "udp")).isEmpty();

        for (HttpRoute route : HttpRoute.values()) {
            List<String> ports = route.surface() == Surface.NODE
                    ? List.of(coordinatorHttp, queueHttp, processorHttp)
                    : route.surface() == Surface.INFLUX ? List.of(influx) : List.<String>of();
            for (String port : ports) {
                for (String method : List.of("GET", "POST")) {
                    if (route.role().isPresent()) {
                        assertThat(status(method, port + route.path()))
                                .as(method + " " + port + " " + route)
                                .isEqualTo(401);
                    }
                }
            }
        }
        assertThat(ListeningPorts.closesOnGarbage(queue)).isTrue();
        assertThat(ListeningPorts.closesOnGarbage(processor)).isTrue();
    }

    private int status(String method, String target) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + target))
                .timeout(Duration.ofSeconds(60))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
}
