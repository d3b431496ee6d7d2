package io.chimera.node;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.Waits;
import io.chimera.node.child.FreePorts;
import io.chimera.node.watch.NodeClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes as started by a user, as real processes. */
@Tag("it")
final class RunIT {
    private final List<Process> processes = new ArrayList<>();
    private final NodeClient client = new NodeClient();

    @TempDir
    Path folder;

    @AfterEach
    void stop() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
    }

    /** A process with all roles and an absent store accepts data, shows the data, and reports the absent store. */
    @Test
    void takesDataInWhileTheStoreIsAway() throws Exception {
        String http = freeAddress();
        String input = freeAddress();
        String zooKeeper = freeAddress();
        String store = freeAddress();
        Path file = Files.writeString(
                folder.resolve("chimera.yaml"), """
                node: { id: n1, host: 127.0.0.1, data_dir: "%s", http: "%s" }
                coordinator: { embedded: { address: "%s" } }
                cycle: { every: 500ms }
                queue: { address: "127.0.0.1:0", journal: { max_bytes: 256MiB, reserve: 1MiB } }
                processor: { address: "127.0.0.1:0" }
                inputs: { influx: { http: "%s" } }
                pipelines: { all: { stores: [kairos] } }
                stores: { kairos: { url: "http://%s" } }
                """.formatted(folder.resolve("data"), http, zooKeeper, input, store));
        Process node = start("node", "run", "all", "-c", file.toString());
        await().until(() -> client.isReady(http));

        HttpResponse<String> written = write(input, "cpu,host=a value=1 1700000000000000000\ncpu,host=a\n");

        assertThat(written.statusCode()).isEqualTo(400);
        assertThat(written.body()).contains("partial write");
        assertThat(client.get("http://" + http + "/tap?stage=journal"))
                .isEqualTo("cpu,host=a value=1.0 1700000000000000000\n");
        Map<String, Double> metrics = client.metrics(http);
        assertThat(metrics).containsEntry("chimera_parser_points_total", 1.0);
        assertThat(metrics).containsEntry("chimera_parser_points_rejected_total", 1.0);
        assertThat(metrics).containsEntry("chimera_source_requests_bad_total", 1.0);
        await().untilAsserted(() -> assertThat(log("node"))
                .contains("Input rejected data: input=influx reason=\"missing fields\" count=1 sender=127.0.0.1:")
                .contains("text=\"cpu,host=a\""));
        assertThat(client.get("http://" + http + "/status"))
                .contains("Input influx rejected data 1 times")
                .contains("missing fields. Last sampled sender: 127.0.0.1:");
        await().untilAsserted(() -> assertThat(client.isReady(http)).isFalse());
        assertThat(log("node")).contains("KairosDB at http://" + store + " cannot be reached");
        Invocation status = Invocation.of("cluster", "status", "--http", http);
        assertThat(status.out())
                .contains("n1-queue")
                .contains("n1-processor")
                .contains("Coordinator n1-coordinator leads");
        Invocation top = Invocation.of("top", "--once", "--json", "--http", http);
        assertThat(Json.read("top", top.out()).path("points_in").asLong()).isEqualTo(1);
        assertThat(Json.read("top", top.out())
                        .path("points_refused_by")
                        .path("n1-queue")
                        .asLong())
                .isEqualTo(1);

        node.destroy(); // SIGTERM

        assertThat(node.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        assertThat(log("node"))
                .contains("Stopping because of a signal.")
                .contains("Stopped.")
                .doesNotContain("defect");
        assertThat(log("node").split("cannot be reached", -1))
                .as("says it once")
                .hasSizeLessThanOrEqualTo(3);
    }

    /** A missing ZooKeeper is logged once; the node waits and then continues. */
    @Test
    void waitsForZooKeeperAndGoesOnWhenItIsThere() throws Exception {
        String zooKeeper = freeAddress();
        String http = freeAddress();
        Process processor = start(
                "processor",
                "run",
                "processor",
                "-c",
                minimal().toString(),
                "--set",
                "node.http=" + http,
                "--set",
                "coordinator.connect=" + zooKeeper);
        await().until(() -> log("processor").contains("No connection to ZooKeeper"));
        assertThat(client.isReady(http)).isFalse();
        assertThat(client.get("http://" + http + "/health/live")).contains("true");

        start(
                "coordinator",
                "run",
                "coordinator",
                "-c",
                minimal().toString(),
                "--set",
                "coordinator.embedded.address=" + zooKeeper,
                "--set",
                "node.data_dir=" + folder.resolve("c"));

        await().until(() -> client.isReady(http));
        assertThat(processor.isAlive()).isTrue();
        assertThat(log("processor")).contains("Connected to ZooKeeper at " + zooKeeper);
    }

    @Test
    void tellsInOneLineThatItsPortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            Process node =
                    start("node", "run", "coordinator", "-c", minimal().toString(), "--set", "node.http=" + address);

            assertThat(node.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
            assertThat(node.exitValue()).isEqualTo(1);
            assertThat(log("node").lines().filter(line -> line.contains("Cannot listen on " + address)))
                    .hasSize(1);
            assertThat(log("node")).doesNotContain("\tat ");
        }
    }

    @Test
    void tellsInOneLineThatItsDirectoryCannotBeMade() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        Process node = start(
                "node", "run", "queue", "-c", minimal().toString(), "--set", "node.data_dir=" + file.resolve("data"));

        assertThat(node.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        assertThat(node.exitValue()).isEqualTo(1);
        assertThat(log("node")).contains(file.toString()).doesNotContain("\tat ");
    }

    @Test
    void endsWith78WhenItsConfigurationIsWrong() throws Exception {
        Process node = start("node", "run", "queue", "-c", minimal().toString(), "--set", "cycle.evry=1s");

        assertThat(node.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        assertThat(node.exitValue()).isEqualTo(78);
        assertThat(log("node")).contains("did you mean cycle.every?");
    }

    private Path minimal() throws IOException {
        return Files.writeString(folder.resolve("minimal.yaml"), """
                node: { id: n1, host: 127.0.0.1, data_dir: "%s", http: "127.0.0.1:0" }
                coordinator: { embedded: { address: "127.0.0.1:0" } }
                queue: { address: "127.0.0.1:0", journal: { max_bytes: 256MiB, reserve: 1MiB } }
                processor: { address: "127.0.0.1:0" }
                inputs: { influx: { http: "127.0.0.1:0" } }
                pipelines: { all: { stores: [kairos] } }
                stores: { kairos: {} }
                """.formatted(folder.resolve("data")));
    }

    private static HttpResponse<String> write(String input, String lines) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + input + "/write"))
                .POST(HttpRequest.BodyPublishers.ofString(lines))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private Process start(String name, String... arguments) throws IOException {
        List<String> command = ChimeraHome.find().nodeCommand(List.of("-Xmx256m"), List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
        processes.add(process);
        return process;
    }

    private String log(String name) {
        try {
            return Files.readString(folder.resolve(name + ".log"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String freeAddress() {
        return new FreePorts(1).next();
    }
}
