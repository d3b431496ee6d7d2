package io.chimera.node.launch;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.common.agent.Waits;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Invocation;
import io.chimera.node.child.FreePorts;
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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A queue node in its own process with a full disk: it refuses senders, the journal holds every point of an
 * acknowledged request, and the node recovers by itself when there is space. Needs to mount, so it runs only as root.
 */
@Tag("it")
final class FullDiskNodeIT {
    private static final int LINES = 400;

    private final List<Process> processes = new ArrayList<>();
    private final NodeClient client = new NodeClient();
    private final HttpClient sender = HttpClient.newHttpClient();
    private final Set<String> acknowledged = new HashSet<>();
    private int sent;

    @TempDir
    Path folder;

    private Path disk;

    @AfterEach
    void stop() throws Exception {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
        if (disk != null) {
            await().until(() -> run("umount", disk.toString()));
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    @Test
    void refusesWhileTheDiskIsFullAndGoesOnWhenThereIsRoom() throws Exception {
        Path point = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=40m", "none", point.toString()),
                "only root may mount a small disk");
        disk = point;
        Path ballast = Files.write(disk.resolve("ballast"), new byte[24 << 20]);
        String http = freeAddress();
        String input = freeAddress();
        startNodes(http, input);

        int status = 204;
        while (status == 204) {
            status = send(input);
        }

        assertThat(status).isEqualTo(503);
        assertThat(client.isReady(http)).isFalse();
        assertThat(readiness(http))
                .contains("The journal accepts no data points: the disk of " + disk)
                .contains("No space left on device");
        assertThat(send(input)).isEqualTo(503);

        Files.delete(ballast);

        await().until(() -> client.isReady(http));
        for (int i = 0; i < 20; i++) {
            assertThat(send(input)).isEqualTo(204);
        }
        Process queue = processes.get(1);
        queue.destroy();
        assertThat(queue.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        Invocation dump = Invocation.of("journal", "dump", disk.toString(), "--points");
        assertThat(new HashSet<>(dump.out().lines().toList()).containsAll(acknowledged))
                .as("%d acknowledged points", acknowledged.size())
                .isTrue();
        assertThat(Invocation.of("journal", "check", disk.toString()).exitCode())
                .isZero();
    }

    private void startNodes(String http, String input) throws IOException {
        String zooKeeper = freeAddress();
        Path file = Files.writeString(folder.resolve("chimera.yaml"), """
            node: { id: n1, host: 127.0.0.1, data_dir: "%s", http: "%s" }
            coordinator: { embedded: { address: "%s" } }
            queue: { address: "127.0.0.1:0", ring_slots: 8, journal: { max_bytes: 64MiB, reserve: 0B } }
            inputs: { influx: { http: "%s" } }
            pipelines: { all: { stores: [kairos] } }
            stores: { kairos: {} }
            """.formatted(disk, http, zooKeeper, input));
        start(
                "coordinator",
                "run",
                "coordinator",
                "-c",
                file.toString(),
                "--set",
                "node.http=127.0.0.1:0",
                "--set",
                "node.data_dir=" + folder.resolve("coordinator"));
        start("queue", "run", "queue", "-c", file.toString(), "--set", "coordinator.connect=" + zooKeeper);
        await().until(() -> client.isReady(http));
    }

    /** Sends new points, about 100 kB in the journal, and notes the acknowledged points. */
    private int send(String input) throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        String text = "x".repeat(200);
        for (int i = 0; i < LINES; i++) {
            lines.add("cpu,host=a value=" + sent + "i,text=\"" + text + "\" " + (1_700_000_000_000_000_000L + sent));
            sent++;
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + input + "/write"))
                .timeout(Duration.ofSeconds(60))
                .POST(HttpRequest.BodyPublishers.ofString(String.join("\n", lines)))
                .build();
        int status = sender.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
        if (status == 204) {
            acknowledged.addAll(lines);
        }
        return status;
    }

    private String readiness(String http) throws IOException, InterruptedException {
        return sender.send(
                        HttpRequest.newBuilder(URI.create("http://" + http + "/health/ready"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private void start(String name, String... arguments) throws IOException {
        processes.add(new ProcessBuilder(ChimeraHome.find().nodeCommand(List.of("-Xmx256m"), List.of(arguments)))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start());
    }

    private static String freeAddress() {
        return new FreePorts(1).next();
    }
}
