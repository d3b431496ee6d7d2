package io.chimera.node.launch;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.chimera.common.agent.Waits;
import io.chimera.node.ChimeraHome;
import io.chimera.node.child.ChildProcess;
import io.chimera.node.child.FreePorts;
import io.chimera.node.load.HttpTarget;
import io.chimera.node.replay.RowCatcher;
import io.chimera.node.watch.NodeClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Nodes of one configuration file, each in its own process, and their store. Each node has an HTTP address, an input
 * for Influx lines and a folder of its own, which a restart keeps. Used by the thread of the test.
 */
public final class NodeProcesses implements AutoCloseable {
    private static final List<String> JVM =
            List.of("-Xmx256m", "-XX:MaxDirectMemorySize=160m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private static final int PORTS = 24;

    /** Points in the rows of the pipeline {@code each}. */
    private static final String COUNTS = "load.value.count ";

    private final NodeClient client = new NodeClient();
    private final FreePorts ports = new FreePorts(PORTS);
    private final RowCatcher store = new RowCatcher();
    private final Map<String, ChildProcess> nodes = new LinkedHashMap<>();
    private final Map<String, String> http = new LinkedHashMap<>();
    private final Map<String, String> inputs = new LinkedHashMap<>();
    private final Path folder;
    private final String coordinator;
    private final Path configuration;
    private long sent;

    /**
     * Writes the configuration without starting a node: the pipeline {@code each} counts the points of each host of the
     * measurement {@code load}.
     *
     * @param folder folder for all files
     * @param coordinator id of the node with the coordinator
     * @param more further sections of the configuration; may be empty
     */
    public NodeProcesses(Path folder, String coordinator, String more) throws IOException {
        this.folder = folder;
        this.coordinator = coordinator;
        String zooKeeper = ports.next();
        configuration = Files.writeString(
                folder.resolve("chimera.yaml"), """
            coordinator: { connect: "%s", embedded: { run: always, address: "%s" } }
            cycle: { every: 300ms }
            queue: { ring_slots: 4, journal: { max_bytes: 512MiB } }
            processor: { ring_slots: 4, max_bytes: 32MiB }
            inputs:
              influx: { http: "127.0.0.1:0" }
            pipelines:
              each: { where: load, aggregate: { by: [host], functions: [count, sum] }, stores: [kairos] }
            stores:
              kairos: { url: "%s" }
            %s
            """.formatted(zooKeeper, zooKeeper, store.url(), more));
    }

    /** Returns the configuration file of all nodes. */
    public Path configuration() {
        return configuration;
    }

    /** Returns the store of the rows. */
    public RowCatcher store() {
        return store;
    }

    /** Returns the HTTP address of a node. */
    public String http(String id) {
        return http.get(id);
    }

    /** Returns the process of a node. */
    public ChildProcess process(String id) {
        return nodes.get(id);
    }

    /** Starts a node and waits until it is ready. */
    public void start(String id, String role) throws InterruptedException {
        start(id, role, Map.of());
    }

    /**
     * Starts a node and waits until it is ready.
     *
     * @param settings keys of the configuration with values for this node only
     */
    public void start(String id, String role, Map<String, String> settings) throws InterruptedException {
        launch(id, role, settings).awaitReady(() -> client.isReady(http.get(id)));
    }

    /** Starts a node without waiting, and returns its process. */
    public ChildProcess launch(String id, String role, Map<String, String> settings) {
        http.computeIfAbsent(id, unknown -> ports.next());
        inputs.computeIfAbsent(id, unknown -> ports.next());
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put("node.id", id);
        all.put("node.host", "127.0.0.1");
        all.put("node.data_dir", folder.resolve(id).toString());
        all.put("node.http", http.get(id));
        all.put("queue.address", "127.0.0.1:0");
        all.put("processor.address", "127.0.0.1:0");
        all.put("inputs.influx.http", inputs.get(id));
        List<String> arguments =
                new ArrayList<>(List.of("run", role, "--exit-with-parent", "--config", configuration.toString()));
        all.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        ChildProcess child = ChildProcess.start(
                "Node " + id,
                ChimeraHome.find().nodeCommand(JVM, arguments),
                folder.resolve(id),
                folder.resolve(id + ".log"));
        nodes.put(id, child);
        return child;
    }

    /** Lets a node drain, and waits for its end. */
    public void drain(String id) throws InterruptedException {
        client.tell(http.get(id), "drain");
        await().until(() -> !nodes.get(id).isAlive());
    }

    /** Returns the log of a node since its last start. */
    public String log(String id) throws IOException {
        return Files.readString(folder.resolve(id + ".log"));
    }

    /** Sends one point for each of the hosts to a queue node, and requires its acknowledgement. */
    public void send(String node, int hosts) throws IOException, InterruptedException {
        StringBuilder lines = new StringBuilder();
        for (int host = 0; host < hosts; host++) {
            lines.append("load,host=h").append(host).append(" value=1\n");
        }
        HttpTarget target = new HttpTarget(
                URI.create("http://" + inputs.get(node) + "/write"), "text/plain", Waits.MAX, new AtomicLong());
        assertThat(target.send(lines.toString().getBytes(US_ASCII))).isZero();
        sent += hosts;
    }

    /** Waits until the committed cycles have exactly the points that were sent. */
    public void awaitAll() throws InterruptedException {
        await().until(() -> points() >= sent);
        assertThat(points()).isEqualTo(sent);
        assertThat(status().path("unaccounted").asLong(-1)).isZero();
    }

    /** Requires that the rows in the store count each sent point once. */
    public void assertStoredOnce() {
        double stored = store.rows().entrySet().stream()
                .filter(row -> row.getKey().startsWith(COUNTS))
                .mapToDouble(Map.Entry::getValue)
                .sum();
        assertThat(stored).as("points in the rows").isEqualTo((double) sent);
        assertThat(store.changes()).as("rows written again with another value").isZero();
    }

    /** Returns the number of points that were sent. */
    public long sent() {
        return sent;
    }

    /** Returns the number of points in committed cycles. */
    public long points() throws InterruptedException {
        return status().path("totals").path("points").asLong();
    }

    /** Returns the status of the coordinator. */
    public JsonNode status() throws InterruptedException {
        return client.status(http.get(coordinator), "coordinator");
    }

    /** Returns a live member in the status of the coordinator; a missing node when it does not live. */
    public JsonNode member(String id) throws InterruptedException {
        for (JsonNode member : status().path("members")) {
            if (member.path("id").asText().equals(id)) {
                return member;
            }
        }
        return MissingNode.getInstance();
    }

    @Override
    public void close() {
        List<ChildProcess> all = new ArrayList<>(nodes.values());
        Collections.reverse(all); // the coordinator last
        all.forEach(ChildProcess::close);
        store.close();
    }
}
