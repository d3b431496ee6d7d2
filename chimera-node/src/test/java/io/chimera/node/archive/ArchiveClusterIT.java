package io.chimera.node.archive;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.archive.server.QueryService;
import io.chimera.common.channel.Endpoint;
import io.chimera.coordinator.zookeeper.server.EmbeddedZooKeeper;
import io.chimera.jni.capture.PcapWriter;
import io.chimera.jni.capture.PcapWriter.Resolution;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import io.chimera.node.archive.CaptureFile.Frame;
import io.chimera.node.child.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three recorders in separate processes answer as one archive, share their index, and are killed. */
final class ArchiveClusterIT {
    private static final Path CAPTURES = Path.of("../chimera-flow/src/test/resources/io/chimera/flow/captures");

    /** Different traffic per node; only the first node has DNS. */
    private static final Map<String, List<String>> TRAFFIC = new TreeMap<>(Map.of(
            "a", List.of("dns_fragmented.pcap", "mongodb.pcap"),
            "b", List.of("http_ipv6.pcap", "teredo.pcap"),
            "c", List.of("6in4tunnel.pcap", "vxlan.pcap")));

    private static final List<String> FILTERS = List.of(
            "", "udp", "udp port 53", "port 53", "ip6", "ip proto 41", "tcp and greater 500", "not udp and limit 100");

    private static final int ETHERNET = 1;
    private static final long BASE_NS = 1_700_000_000L * 1_000_000_000L;
    private static final long APART_NS = 10_000_000L;
    private static final long DAY_NS = 86_400_000_000_000L;
    private static final int BYTES = 1_500_000;

    @TempDir
    private Path folder;

    private EmbeddedZooKeeper zooKeeper;
    private final Map<String, Process> recorders = new TreeMap<>();
    private final Map<String, String> addresses = new TreeMap<>();
    private String cluster;
    private boolean isRecordedTwice;

    @BeforeEach
    void start() throws IOException {
        zooKeeper = new EmbeddedZooKeeper(folder.resolve("zookeeper"), new Endpoint("127.0.0.1", 0));
        cluster = zooKeeper.address() + "/chimera/archives";
        FreePorts ports = new FreePorts(TRAFFIC.size());
        for (String node : TRAFFIC.keySet()) {
            write(node);
            assertThat(Invocation.of("archive", "create", volume(node), "--size", "64MiB")
                            .exitCode())
                    .isZero();
            addresses.put(node, ports.next());
            record(node);
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        for (Process recorder : recorders.values()) {
            recorder.destroyForcibly().waitFor();
        }
        zooKeeper.close();
    }

    /**
     * Writes the node's captures repeatedly, packets 10 ms apart. The last packet is a day later, so that the recorder
     * waits for it.
     */
    private void write(String node) throws IOException {
        try (PcapWriter writer = PcapWriter.create(capture(node), ETHERNET, Resolution.MICROSECONDS)) {
            List<Frame> frames = new ArrayList<>();
            for (String name : TRAFFIC.get(node)) {
                byte[] content = Files.readAllBytes(CAPTURES.resolve(name));
                frames.addAll(CaptureFile.read(content));
            }
            long timeNs = BASE_NS;
            for (int bytes = 0, i = 0; bytes < BYTES; i++) {
                Frame frame = frames.get(i % frames.size());
                bytes += frame.bytes().remaining();
                write(writer, timeNs, frame);
                timeNs += APART_NS;
            }
            write(writer, timeNs + DAY_NS, frames.get(0));
        }
    }

    private static void write(PcapWriter writer, long timeNs, Frame frame) {
        UnsafeBuffer bytes = new UnsafeBuffer(frame.bytes());
        writer.write(timeNs, bytes, 0, bytes.capacity(), frame.length());
    }

    private Path capture(String node) {
        return folder.resolve(node + ".pcap");
    }

    private String volume(String node) {
        return folder.resolve(node + ".volume").toString();
    }

    private void record(String node) throws IOException {
        List<String> arguments = List.of(
                "archive",
                "record",
                "--read",
                capture(node).toString(),
                "--to",
                volume(node),
                "--interval",
                "4KiB",
                "--speed",
                "100",
                "--http",
                addresses.get(node),
                "--cluster",
                cluster,
                "--node",
                node,
                "--span",
                "5s");
        recorders.put(
                node,
                new ProcessBuilder(ChimeraHome.find().nodeCommand(List.of("-Xmx192m"), arguments))
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.appendTo(
                                folder.resolve(node + ".log").toFile()))
                        .start());
    }

    @Test
    void answersAsOneAndNamesWhoIsKilled() throws Exception {
        awaitNodes(3);
        awaitShared();
        compare(TRAFFIC.keySet().stream().toList(), 0);

        JsonNode count = count("udp port 53", 20);
        assertThat(count.path("packets").asInt()).isPositive();
        assertThat(count.path("nodes_skipped").asInt()).isEqualTo(2);
        assertThat(count.path("nodes_asked").asInt()).isEqualTo(1);

        assertThat(overHttp("udp port 53")).isEqualTo(frames("--http", addresses.get("a"), "udp port 53"));

        recorders.get("c").destroyForcibly().waitFor();
        compare(List.of("a", "b"), 1); // c still has its session
        awaitNodes(2);
        compare(List.of("a", "b"), 1);
        assertThat(absent(count("ip proto 41", 20))).containsExactly("c");

        record("c");
        isRecordedTwice = true; // in the order of arrival
        awaitNodes(3);
        awaitShared();
        compare(TRAFFIC.keySet().stream().toList(), 0);
        assertThat(count("udp port 53", 20).path("nodes_skipped").asInt()).isEqualTo(2);
    }

    private void awaitNodes(int size) {
        await().until(() -> status("a").path("nodes").size() == size);
    }

    /**
     * Waits until all closed spans are on index nodes. Before, queries ask the nodes directly, which costs only time.
     */
    private void awaitShared() {
        await().pollInterval(1, TimeUnit.SECONDS).until(() -> {
            JsonNode count = count("udp port 53", 20);
            return count.path("nodes_skipped").asInt() == 2
                    && count.path("nodes_absent").isEmpty();
        });
    }

    private JsonNode status(String node) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + addresses.get(node) + "/status"))
                .build();
        try {
            String status = HttpClient.newHttpClient()
                    .send(request, BodyHandlers.ofString())
                    .body();
            return Json.read("status", status)
                    .path("nodes")
                    .path(0)
                    .path("status")
                    .path("cluster");
        } catch (IOException e) {
            return Json.read("nobody", "{}");
        }
    }

    /** The cluster's answer equals the merged answers of these nodes, and names all other nodes. */
    private void compare(List<String> nodes, int exitCode) throws Exception {
        for (String filter : FILTERS) {
            List<Frame> expected = new ArrayList<>();
            for (String node : nodes) {
                expected.addAll(frames("--http", addresses.get(node), filter));
            }
            Path answer = folder.resolve("answer.pcap");
            Invocation asked =
                    Invocation.of("archive", "query", "--cluster", cluster, "--pcap", answer.toString(), "--", filter);
            assertThat(asked.exitCode()).as(filter + asked.err()).isEqualTo(exitCode);
            List<Frame> found = CaptureFile.read(answer);
            if (!isRecordedTwice) {
                assertThat(found).as(filter).isSortedAccordingTo(Comparator.comparingLong(Frame::timeUs));
            }
            if (filter.contains("limit")) {
                assertThat(found).as(filter).hasSize(100);
                assertThat(expected).as(filter).containsAll(found);
            } else {
                assertThat(found).as(filter).containsExactlyInAnyOrderElementsOf(expected);
            }
            TRAFFIC.keySet().stream().filter(node -> !nodes.contains(node)).forEach(node -> assertThat(asked.err())
                    .contains("Archive node " + node + " did not answer"));
        }
    }

    private List<Frame> frames(String option, String value, String filter) throws IOException {
        Path answer = folder.resolve("one.pcap");
        Invocation asked = Invocation.of("archive", "query", option, value, "--pcap", answer.toString(), "--", filter);
        assertThat(asked.exitCode()).as(asked.err()).isZero();
        return CaptureFile.read(answer);
    }

    private List<Frame> overHttp(String filter) throws IOException, InterruptedException {
        URI address = URI.create("http://" + addresses.get("b") + QueryService.PATH + "?scope=cluster");
        return CaptureFile.read(HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(address)
                                .POST(BodyPublishers.ofString(filter))
                                .build(),
                        BodyHandlers.ofByteArray())
                .body());
    }

    private JsonNode count(String filter, int seconds) {
        String before =
                Instant.ofEpochSecond(BASE_NS / 1_000_000_000L + seconds).toString();
        String after = Instant.ofEpochSecond(BASE_NS / 1_000_000_000L).toString();
        Invocation count = Invocation.of(
                "archive",
                "query",
                "--cluster",
                cluster,
                "--count",
                "--after",
                after,
                "--before",
                before,
                "--",
                filter);
        return Json.read("count", count.out());
    }

    private static List<String> absent(JsonNode count) {
        List<String> ids = new ArrayList<>();
        count.path("nodes_absent").forEach(node -> ids.add(node.path("node").asText()));
        return ids;
    }
}
