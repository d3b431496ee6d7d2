package io.chimera.node.launch;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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

/** A queue node with the coordinator, and one or two processors, each in its own process, and their store. */
public final class ProcessorCluster implements AutoCloseable {
    private static final List<String> JVM =
            List.of("-Xmx256m", "-XX:MaxDirectMemorySize=192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final NodeClient client = new NodeClient();
    private final Map<String, String> addresses = new LinkedHashMap<>();
    private final Map<String, ChildProcess> nodes = new LinkedHashMap<>();
    private final FreePorts ports = new FreePorts(8);
    private final RowCatcher store = new RowCatcher();
    private final String input = ports.next();
    private final Path folder;
    private final Path configuration;
    private final List<String> processors;
    private final Map<String, String> weights = new LinkedHashMap<>();
    private final String zooKeeper = ports.next();
    private final HttpTarget target =
            new HttpTarget(URI.create("http://" + input + "/write"), "text/plain", Waits.MAX, new AtomicLong());

    /**
     * Creates a cluster without starting it.
     *
     * @param folder folder for all files
     * @param pipelines pipelines section of the configuration, from the input {@code influx} to the store {@code
     *     kairos}
     */
    public ProcessorCluster(Path folder, String pipelines) throws IOException {
        this(folder, pipelines, "");
    }

    /**
     * Creates a cluster without starting it.
     *
     * @param folder folder for all files
     * @param pipelines pipelines section of the configuration, from the input {@code influx}
     * @param stores stores section of the configuration, in addition to {@code kairos}
     */
    public ProcessorCluster(Path folder, String pipelines, String stores) throws IOException {
        this(folder, pipelines, stores, List.of("p1", "p2"), 1);
    }

    /**
     * Creates a cluster with the only processor {@code p1} without starting it.
     *
     * @param lanes number of lanes of the processor
     */
    static ProcessorCluster withLanes(Path folder, String pipelines, int lanes) throws IOException {
        return new ProcessorCluster(folder, pipelines, "", List.of("p1"), lanes);
    }

    private ProcessorCluster(Path folder, String pipelines, String stores, List<String> processors, int lanes)
            throws IOException {
        this.processors = processors;
        this.folder = Files.createDirectories(folder);
        configuration = Files.writeString(folder.resolve("chimera.yaml"), """
            coordinator: { connect: "%s", embedded: { run: always, address: "%s" } }
            cycle: { every: 300ms }
            queue: { address: "%s", ring_slots: 32, journal: { max_bytes: 512MiB } }
            processor: { lanes: %d, ring_slots: 32, max_bytes: 64MiB }
            inputs:
              influx: { http: "%s" }
            pipelines:
              %s
            stores:
              kairos: { url: "%s" }
              %s
            """.formatted(
                        zooKeeper,
                        zooKeeper,
                        ports.next(),
                        lanes,
                        input,
                        pipelines.indent(2).strip(),
                        store.url(),
                        stores));
        addresses.put("q1", ports.next());
        processors.forEach(id -> addresses.put(id, ports.next()));
    }

    /** Sets the weight of a processor from its next start. */
    void weight(String id, String weight) {
        weights.put(id, weight);
    }

    /** Returns the address of ZooKeeper. */
    public String zooKeeper() {
        return zooKeeper;
    }

    /** Starts all nodes and waits until all are ready. */
    public void start() throws InterruptedException {
        startNode("q1", "queue_coordinator");
        awaitReady("q1");
        for (String id : processors) {
            startNode(id, "processor");
        }
        for (String id : processors) {
            awaitReady(id);
        }
    }

    private void startNode(String id, String role) {
        List<String> arguments =
                new ArrayList<>(List.of("run", role, "--exit-with-parent", "--config", configuration.toString()));
        Map<String, String> settings = new LinkedHashMap<>(Map.of(
                "node.id",
                id,
                "node.host",
                "127.0.0.1",
                "node.data_dir",
                folder.resolve(id).toString(),
                "node.http",
                addresses.get(id)));
        if (role.equals("processor")) {
            settings.put("processor.address", "127.0.0.1:0");
            settings.put("processor.weight", weights.getOrDefault(id, "1"));
        }
        settings.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        nodes.put(
                id,
                ChildProcess.start(
                        "Node " + id,
                        ChimeraHome.find().nodeCommand(JVM, arguments),
                        folder.resolve(id),
                        folder.resolve(id + ".log")));
    }

    private void awaitReady(String id) throws InterruptedException {
        nodes.get(id).awaitReady(() -> client.isReady(addresses.get(id)));
    }

    /** Kills a node as in a crash. */
    public void kill(String id) throws InterruptedException {
        nodes.get(id).kill();
        assertThat(nodes.get(id).isAlive()).isFalse();
    }

    /** Restarts a killed node with its folder. */
    public void startAgain(String id) throws InterruptedException {
        startNode(id, "processor");
        awaitReady(id);
    }

    /** Sends each batch after the commit of a cycle since the previous batch, so that the run has many cycles. */
    public void send(List<String> batches) throws IOException, InterruptedException {
        for (String batch : batches) {
            long cycle = status().path("last_cycle").asLong();
            sendNow(batch);
            await().until(() -> status().path("last_cycle").asLong() > cycle);
        }
    }

    /** Sends a batch. */
    void sendNow(String batch) throws IOException, InterruptedException {
        assertThat(target.send(batch.getBytes(US_ASCII))).isZero();
    }

    /** Waits for the commit of exactly this number of points. */
    public void awaitAll(long points) throws InterruptedException {
        await().until(() -> status().path("totals").path("points").asLong() >= points);
        assertThat(status().path("totals").path("points").asLong()).isEqualTo(points);
        assertThat(status().path("unaccounted").asLong(-1)).isZero();
    }

    /** Returns the status of the coordinator. */
    JsonNode status() throws InterruptedException {
        return client.status(addresses.get("q1"), "coordinator");
    }

    /** Returns the status of a processor. */
    JsonNode processorStatus(String id) throws InterruptedException {
        return client.status(addresses.get(id), "processor");
    }

    /** Returns the metrics page of a node. */
    String metrics(String id) throws InterruptedException {
        return client.get("http://" + addresses.get(id) + "/metrics");
    }

    /** Returns a metric of a node, the sum over its lanes. */
    public double metric(String id, String name) throws InterruptedException {
        Map<String, Double> metrics = client.metrics(addresses.get(id));
        assertThat(metrics).containsKey(name);
        return metrics.get(name);
    }

    /** Returns the address of a node's HTTP port. */
    public String http(String id) {
        return addresses.get(id);
    }

    /** Returns a node's folder. */
    public Path folder(String id) {
        return folder.resolve(id);
    }

    /** Stops all nodes in order. */
    public void stop() {
        List<ChildProcess> all = new ArrayList<>(nodes.values());
        Collections.reverse(all); // the coordinator last
        all.forEach(ChildProcess::close);
        nodes.clear();
    }

    /** Returns the store of the rows. */
    public RowCatcher store() {
        return store;
    }

    @Override
    public void close() {
        stop();
        store.close();
    }
}
