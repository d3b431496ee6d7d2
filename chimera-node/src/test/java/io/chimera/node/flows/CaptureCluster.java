package io.chimera.node.flows;

import io.chimera.node.ChimeraHome;
import io.chimera.node.Json;
import io.chimera.node.child.ChildProcess;
import io.chimera.node.child.FreePorts;
import io.chimera.node.child.KairosReader;
import io.chimera.node.child.KairosServer;
import io.chimera.node.watch.NodeClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * A cluster of processes in a network namespace: a queue node with packet capture and the coordinator, two processors,
 * and KairosDB. Prints the current rows in KairosDB for each input line, and stops at the end of its standard input.
 */
final class CaptureCluster implements AutoCloseable {
    /** Output line of a ready cluster. */
    static final String READY = "ready";

    /** Metrics, with the tag that identifies their series. */
    private static final Map<String, String> METRICS = Map.of(
            "flow.packets.count", "protocol",
            "flow.packets.sum", "protocol",
            "flow.reverse_packets.sum", "protocol",
            "flow.bytes.sum", "protocol",
            "flow.reverse_bytes.sum", "protocol",
            "syn_flood.half_open.max", "host",
            "port_scan.targets.max", "host");

    private static final List<String> JVM =
            List.of("-Xmx256m", "-XX:MaxDirectMemorySize=192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private static final long PAST_MS = 600_000;

    private final ChimeraHome home = ChimeraHome.find();
    private final FreePorts ports = new FreePorts(10);
    private final Path folder;
    private final Path configuration;
    private final String source;
    private final String kairos = ports.next();
    private final String zooKeeper = ports.next();
    private final String queue = ports.next();
    private final NodeClient client = new NodeClient();
    private final KairosReader reader = new KairosReader(kairos);
    private final List<ChildProcess> running = new ArrayList<>();
    private final String queueHttp = ports.next();

    private CaptureCluster(Path folder, Path configuration, String source) {
        this.folder = folder;
        this.configuration = configuration;
        this.source = source;
    }

    /** Arguments: folder, configuration, capture source. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (CaptureCluster cluster = new CaptureCluster(Path.of(arguments[0]), Path.of(arguments[1]), arguments[2])) {
            cluster.start();
            System.out.println(READY);
            for (int read = System.in.read(); read >= 0; read = System.in.read()) {
                if (read == '\n') {
                    System.out.println(Json.line(cluster.seen()));
                }
            }
        }
    }

    private void start() throws InterruptedException {
        Path store = folder.resolve("kairosdb");
        ChildProcess server = start("KairosDB", KairosServer.command(home, kairos, store), store);
        server.awaitReady(reader::isReady);
        node("q1", "queue_coordinator", queueHttp, Map.of("queue.address", queue));
        for (String id : List.of("p1", "p2")) {
            node(id, "processor", ports.next(), Map.of("processor.address", ports.next()));
        }
    }

    private void node(String id, String role, String http, Map<String, String> more) throws InterruptedException {
        Map<String, String> settings = new LinkedHashMap<>(more);
        settings.put("node.id", id);
        settings.put("node.host", "127.0.0.1");
        settings.put("node.data_dir", folder.resolve(id).toString());
        settings.put("node.http", http);
        settings.put("coordinator.connect", zooKeeper);
        settings.put("coordinator.embedded.address", zooKeeper);
        settings.put("inputs.packets.capture.source", source);
        settings.put("stores.kairos.url", "http://" + kairos);
        List<String> arguments =
                new ArrayList<>(List.of("run", role, "--exit-with-parent", "--config", configuration.toString()));
        settings.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        start("Node " + id, home.nodeCommand(JVM, arguments), folder.resolve(id))
                .awaitReady(() -> client.isReady(http));
    }

    private ChildProcess start(String name, List<String> command, Path place) {
        ChildProcess process = ChildProcess.start(name, command, place, Path.of(place + ".log"));
        running.add(process);
        return process;
    }

    /**
     * Returns the sums of all rows by metric and tag (the maximum for {@code max}), and the counters of the queue node.
     */
    private Map<String, Object> seen() throws InterruptedException {
        Map<String, Object> seen = new LinkedHashMap<>();
        long now = System.currentTimeMillis();
        for (Map.Entry<String, String> metric : METRICS.entrySet()) {
            boolean isMax = metric.getKey().endsWith(".max");
            Map<String, Double> values = new LinkedHashMap<>();
            for (Map.Entry<String, SortedMap<Long, Double>> series : reader.byTag(
                            metric.getKey(), metric.getValue(), now - PAST_MS, now + PAST_MS)
                    .entrySet()) {
                for (double value : series.getValue().values()) {
                    values.merge(series.getKey(), value, isMax ? Math::max : Double::sum);
                }
            }
            seen.put(metric.getKey(), values);
        }
        client.metrics(queueHttp).forEach((name, value) -> {
            if (name.startsWith("chimera_capture_")) {
                seen.put(name, value);
            }
        });
        return seen;
    }

    @Override
    public void close() {
        // in reverse order of the start, because nodes wait for earlier ones
        for (int i = running.size() - 1; i >= 0; i--) {
            running.get(i).close();
        }
    }
}
