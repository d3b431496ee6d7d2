package io.chimera.bench.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.node.ChimeraHome;
import io.chimera.node.child.ChildProcess;
import io.chimera.node.child.FreePorts;
import io.chimera.node.watch.NodeClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Chimera cluster in real processes: a coordinator with embedded ZooKeeper, which may run in the process of the first
 * queue node, queue nodes and processors, each in a separate process. Closing the cluster or any end of this process
 * ends all nodes. One thread.
 */
public final class BenchCluster implements AutoCloseable {
    /**
     * Ports per cluster: 2 of the coordinator, 2 and one per lane of each queue node, 1 and one per lane of each
     * processor, for example for 1 queue node with 13 processors, or 6 queue nodes with 6.
     */
    public static final int PORTS = 40;

    /** Poll interval: each poll costs the coordinator a millisecond, which is part of the measurement. */
    private static final long POLL_MS = 100;

    private static final long PATIENCE_S = 600;

    private final ChimeraHome home;
    private final Path folder;
    private final ClusterPlan plan;
    private final ClusterInput input;
    private final FreePorts ports;
    private final String coordinator;
    private final Path configuration;
    private final ClusterSecurity security;
    private final NodeClient client;
    private final Map<String, ChildProcess> nodes = new LinkedHashMap<>();
    private final Map<String, List<String>> commands = new LinkedHashMap<>();
    private final Map<String, String> addresses = new LinkedHashMap<>();
    private final List<String> inputs = new ArrayList<>();
    private final List<PauseLog> queuePauses = new ArrayList<>();
    private final List<Long> pids = new CopyOnWriteArrayList<>();
    private final List<String> processors = new ArrayList<>();
    private final List<String> queueNodes = new ArrayList<>();
    private Function<String, List<String>> nodeFlags = node -> List.of();

    /**
     * Creates a cluster without starting nodes.
     *
     * @param folder folder for journals and logs
     * @param ports source of {@link #PORTS} free ports
     */
    public BenchCluster(ChimeraHome home, Path folder, ClusterPlan plan, FreePorts ports) {
        this(home, folder, plan, ports, ClusterInput.INFLUX, ClusterSecurity.none());
    }

    /**
     * Creates a cluster without starting nodes.
     *
     * @param folder folder for journals and logs
     * @param ports source of {@link #PORTS} free ports
     * @param input input of the queue nodes
     */
    public BenchCluster(ChimeraHome home, Path folder, ClusterPlan plan, FreePorts ports, ClusterInput input) {
        this(home, folder, plan, ports, input, ClusterSecurity.none());
    }

    /**
     * Creates a cluster without starting nodes.
     *
     * @param folder folder for journals and logs
     * @param ports source of {@link #PORTS} free ports
     * @param input input of the queue nodes
     * @param security TLS of the connections
     */
    public BenchCluster(
            ChimeraHome home,
            Path folder,
            ClusterPlan plan,
            FreePorts ports,
            ClusterInput input,
            ClusterSecurity security) {
        this.input = input;
        this.security = security;
        client = security.client();
        this.home = home;
        this.folder = folder;
        this.plan = plan;
        this.ports = ports;
        coordinator = ports.next();
        configuration = folder.resolve("chimera.yaml");
    }

    /** Starts all nodes; returns when they are ready for points. */
    public void start() throws IOException, InterruptedException {
        start(node -> List.of());
    }

    /**
     * Starts all nodes; returns when they are ready for points.
     *
     * @param nodeFlags further JVM flags of each queue node and processor, by id
     */
    public void start(Function<String, List<String>> nodeFlags) throws IOException, InterruptedException {
        this.nodeFlags = nodeFlags;
        Files.createDirectories(folder);
        Files.writeString(configuration, plan.configuration(ports.next(), input));
        if (plan.layout().isShared()) {
            startQueueNode("q1", "queue_coordinator", coordinator);
            awaitReady("q1");
        } else {
            startNode("c1", "coordinator", NodeMemory.coordinatorFlags(), coordinator, Map.of());
            awaitReady("c1");
            startQueueNode("q1", "queue", ports.next());
        }
        for (int i = 2; i <= plan.layout().queueNodes(); i++) {
            startQueueNode("q" + i, "queue", ports.next());
        }
        for (int i = 1; i <= plan.layout().processors(); i++) {
            addProcessor();
        }
        for (String id : List.copyOf(nodes.keySet())) {
            awaitReady(id);
        }
    }

    /** Starts one more processor, without waiting until it is ready; returns its id. */
    public String addProcessor() throws IOException {
        String id = "p" + (processors.size() + 1);
        List<String> flags = new ArrayList<>(plan.memory().processorFlags());
        flags.addAll(nodeFlags.apply(id));
        String address = ports.first(plan.layout().processorLanes());
        startNode(id, "processor", flags, ports.next(), Map.of("processor.address", address));
        processors.add(id);
        return id;
    }

    private void startQueueNode(String id, String role, String http) throws IOException {
        String address = ports.next();
        inputs.add(address);
        Map<String, String> settings = new LinkedHashMap<>(input.settings(address));
        settings.put("queue.address", ports.first(plan.layout().queueLanes()));
        settings.put("queue.group", plan.layout().group(id));
        PauseLog pauses = new PauseLog(folder.resolve(id + ".gc.log"));
        queuePauses.add(pauses);
        List<String> flags = new ArrayList<>(plan.memory().queueFlags());
        flags.add(pauses.flag());
        flags.addAll(nodeFlags.apply(id));
        startNode(id, role, flags, http, settings);
        queueNodes.add(id);
    }

    private void startNode(String id, String role, List<String> flags, String http, Map<String, String> settings)
            throws IOException {
        Path data = folder.resolve(id);
        List<String> arguments =
                new ArrayList<>(List.of("run", role, "--exit-with-parent", "--config", configuration.toString()));
        Map<String, String> all = new LinkedHashMap<>(plan.settings());
        all.putAll(settings);
        all.putAll(security.settings(role, id));
        all.put("node.id", id);
        all.put("node.host", "127.0.0.1");
        all.put("node.data_dir", data.toString());
        all.put("node.http", http);
        all.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        commands.put(id, home.nodeCommand(flags, List.of(home.built("chimera-bench/target/classes")), arguments));
        addresses.put(id, http);
        launch(id);
    }

    private void launch(String id) {
        ChildProcess node =
                ChildProcess.start("Node " + id, commands.get(id), folder.resolve(id), folder.resolve(id + ".log"));
        nodes.put(id, node);
        pids.add(node.pid());
    }

    /** Kills a node as in a crash; its folder stays. */
    public void kill(String id) throws InterruptedException {
        ChildProcess node = nodes.get(id);
        pids.remove(node.pid());
        node.kill();
    }

    /** Starts a killed node again, with the same folder; returns when the node is ready. */
    public void restart(String id) throws InterruptedException {
        launch(id);
        awaitReady(id);
    }

    /** Waits until a node is ready. */
    public void awaitReady(String id) throws InterruptedException {
        nodes.get(id).awaitReady(() -> client.isReady(addresses.get(id)));
    }

    /** Returns the configuration file of all nodes. */
    public Path configuration() {
        return configuration;
    }

    /** Returns the ids of the started processors. */
    public List<String> processors() {
        return List.copyOf(processors);
    }

    /** Returns the ids of the started queue nodes. */
    public List<String> queueNodes() {
        return List.copyOf(queueNodes);
    }

    /** Returns the process id of a node. */
    public long pid(String id) {
        return nodes.get(id).pid();
    }

    /** Returns host:port of the input of each queue node. */
    public List<String> inputs() {
        return List.copyOf(inputs);
    }

    /** Returns the metrics of a node. */
    public Map<String, Double> metrics(String id) throws InterruptedException {
        return client.metrics(addresses.get(id));
    }

    /** Returns the log of GC pauses of each queue node. */
    public List<PauseLog> queuePauses() {
        return List.copyOf(queuePauses);
    }

    /** Returns the ids of all running processes. Any thread. */
    public List<Long> pids() {
        return pids;
    }

    /** Returns the process ids of nodes. */
    public List<Long> pids(List<String> ids) {
        return ids.stream().map(this::pid).toList();
    }

    /** Returns the coordinator's status of the cluster. */
    public JsonNode status() throws InterruptedException {
        return client.status(coordinator, "coordinator");
    }

    /**
     * Waits until all sent points are in stored rows.
     *
     * @param wanted number of points since the start of the cluster
     * @throws IOException after ten minutes, or when some points were not aggregated
     */
    public void awaitAggregated(long wanted) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        JsonNode totals = totals();
        while (totals.path("points").asLong() < wanted) {
            if (System.nanoTime() > deadline) {
                throw new IOException("Chimera has accounted for " + totals + " of " + wanted + " points after "
                        + PATIENCE_S + " s; see the logs in " + folder + ".");
            }
            Thread.sleep(POLL_MS);
            totals = totals();
        }
        if (totals.path("aggregated").asLong() != wanted) {
            throw new IOException("Chimera did not aggregate all " + wanted + " points: " + totals + ".");
        }
    }

    /** Returns the coordinator's accounts of all stored cycles. */
    public JsonNode totals() throws InterruptedException {
        return status().path("totals");
    }

    /** Stops all nodes in order, the coordinator last. */
    @Override
    public void close() {
        List<ChildProcess> all = new ArrayList<>(nodes.values());
        nodes.clear();
        pids.clear();
        ChildProcess first = all.isEmpty() ? null : all.remove(0);
        all.forEach(ChildProcess::askToStop);
        all.forEach(ChildProcess::close);
        if (first != null) {
            first.close();
        }
    }
}
