package io.chimera.node.flows;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.agent.Waits;
import io.chimera.jni.capture.Captures;
import io.chimera.jni.capture.Namespaces;
import io.chimera.jni.capture.NumberedFrames;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Packets on a wire become rows in KairosDB through a cluster of processes with the configuration of docs/flows.md. The
 * queue node captures with {@code tpacket} if network namespaces are available, otherwise from a file.
 */
@Tag("it")
final class CaptureClusterIT {
    private static final Pattern EXAMPLE = Pattern.compile("```yaml\n(# anomalies.yaml.*?)```", Pattern.DOTALL);

    private final PlantedTraffic traffic = new PlantedTraffic();

    @TempDir
    private Path folder;

    private Process process;
    private BufferedReader said;

    @Test
    void aFloodAndAScanAreFoundAndNoPacketIsLostOrCountedTwice() throws Exception {
        String cause = Namespaces.unavailabilityCause();
        if (cause.isEmpty() && Captures.isAvailable("tpacket")) {
            try (Namespaces namespaces = new Namespaces()) {
                start(namespaces.whereReceived(cluster("tpacket:" + Namespaces.RECEIVER)));
                namespaces.send(traffic.frames());
                assertFound();
            } finally {
                end();
            }
        } else {
            System.out.println("CaptureClusterIT reads a file, as there is no live capture here: " + cause);
            Path file = folder.resolve("planted.pcap");
            NumberedFrames.write(
                    file, TimeUnit.MILLISECONDS.toNanos(Instant.now().toEpochMilli()), traffic.frames());
            try {
                start(cluster("file:" + file));
                assertFound();
            } finally {
                end();
            }
        }
    }

    private List<String> cluster(String source) throws IOException {
        Path configuration = folder.resolve("anomalies.yaml");
        Matcher example =
                EXAMPLE.matcher(Files.readString(ChimeraHome.find().folder().resolve("docs/flows.md")));
        assertThat(example.find()).isTrue();
        Files.writeString(configuration, example.group(1));
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                CaptureCluster.class.getName(),
                folder.toString(),
                configuration.toString(),
                source);
    }

    private void start(List<String> command) throws IOException {
        process = new ProcessBuilder(new ArrayList<>(command))
                .directory(ChimeraHome.find().folder().toFile())
                .redirectError(folder.resolve("cluster.log").toFile())
                .start();
        said = process.inputReader(StandardCharsets.UTF_8);
        assertThat(line()).isEqualTo(CaptureCluster.READY);
    }

    private String line() throws IOException {
        String line = said.readLine();
        if (line == null) {
            throw new AssertionError("The cluster ended: " + Files.readString(folder.resolve("cluster.log")));
        }
        return line;
    }

    private void end() throws IOException, InterruptedException {
        if (process != null) {
            process.getOutputStream().close();
            if (!process.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        }
    }

    private JsonNode ask() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        return Json.read("the cluster", line());
    }

    private void assertFound() {
        await().pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            JsonNode seen = ask();
            assertThat(both(seen, "flow.packets.sum", "flow.reverse_packets.sum"))
                    .as("packets in %s", seen)
                    .isEqualTo(traffic.packets());
            assertThat(both(seen, "flow.bytes.sum", "flow.reverse_bytes.sum"))
                    .as("bytes in %s", seen)
                    .isEqualTo(traffic.bytes());
            assertThat(values(seen, "flow.packets.count")).as("flows").isEqualTo(traffic.flows());
            assertThat(values(seen, "syn_flood.half_open.max")).containsOnlyKeys(PlantedTraffic.FLOODED);
            assertThat(values(seen, "syn_flood.half_open.max").get(PlantedTraffic.FLOODED))
                    .isBetween(100.0, (double) PlantedTraffic.FLOOD);
            assertThat(values(seen, "port_scan.targets.max"))
                    .as("targets, counted up to the limit")
                    .isEqualTo(Map.of(PlantedTraffic.SCANNER, 100.0));
            assertThat(seen.path("chimera_capture_packets_total").asLong())
                    .isEqualTo(traffic.frames().size());
            for (String lost : List.of("packets_dropped_ring", "packets_dropped_interface", "packets_unplaced")) {
                assertThat(seen.path("chimera_capture_" + lost + "_total").asLong(-1))
                        .as(lost)
                        .isZero();
            }
        });
    }

    private static Map<String, Double> values(JsonNode seen, String metric) {
        Map<String, Double> values = new HashMap<>();
        seen.path(metric)
                .properties()
                .forEach(entry -> values.put(entry.getKey(), entry.getValue().asDouble()));
        return values;
    }

    private static Map<String, Double> both(JsonNode seen, String forward, String reverse) {
        Map<String, Double> sums = values(seen, forward);
        values(seen, reverse).forEach((tag, value) -> sums.merge(tag, value, Double::sum));
        return sums;
    }
}
