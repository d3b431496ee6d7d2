package io.chimera.node.demo;

import io.chimera.api.spi.ParserType;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.node.ChimeraHome;
import io.chimera.node.child.ChildProcess;
import io.chimera.node.child.FreePorts;
import io.chimera.node.child.KairosReader;
import io.chimera.node.child.KairosServer;
import io.chimera.node.watch.NodeClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Processes of the demo: KairosDB, a coordinator with its ZooKeeper, queue nodes, three processors, all on loopback.
 * All nodes share one configuration; node-specific keys are set on each command line, as on many machines.
 */
final class DemoCluster implements AutoCloseable {
    /** Default number of queue nodes. */
    static final int QUEUES = 2;

    private static final int PROCESSORS = 3;

    /**
     * Heap and direct memory per role. With code and threads, a node uses about twice its heap. The whole demo fits
     * into 4 GiB.
     */
    private static final List<String> COORDINATOR_JVM = jvm("128m", "64m");

    private static final List<String> QUEUE_JVM = jvm("192m", "192m");
    private static final List<String> PROCESSOR_JVM = jvm("192m", "128m");

    private static final String CONFIGURATION = """
            # One configuration for all nodes of the demo; node-specific keys are set on each node's command line (--set).
            coordinator: { connect: "%s", cluster: demo, embedded: { run: always, address: "%s" } }
            cycle: { every: %s }
            queue:
              ring_slots: 32
              journal: { max_bytes: 1GiB, roll: 10s }
            processor: { max_bytes: 128MiB }
            inputs:
              influx: { type: influx, http: "127.0.0.1:0" }
              kairosdb: { type: kairosdb, http: "127.0.0.1:0" }
              prometheus: { type: remote_write, http: "127.0.0.1:0" }
              tweets: { type: tweets, tcp: "127.0.0.1:0" }
            pipelines:
              all: { stores: [kairos], rows: { tags: { pipeline: all } } }
            stores:
              kairos: { type: kairosdb, url: "http://%s" }
            plugins: { folder: "%s" }
            """;

    private final ChimeraHome home;
    private final Path folder;
    private final FreePorts ports;
    private final Path configuration;
    private final String kairos;
    private final String zooKeeper;
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final Map<String, ChildProcess> running = new LinkedHashMap<>();
    private final NodeClient client = new NodeClient();
    private boolean closed;

    /** Node of the demo: its role and its own settings. */
    private record Node(String id, String role, List<String> jvm, Map<String, String> settings) {
        String http() {
            return settings.get("node.http");
        }
    }

    /**
     * Creates a cluster without starting processes.
     *
     * @param folder folder for journals, databases and logs
     * @param cycle cycle time
     * @param queues number of queue nodes
     * @param plugin plugin to show, if any
     */
    DemoCluster(ChimeraHome home, Path folder, String cycle, int queues, Optional<DemoPlugin> plugin) {
        this.home = home;
        this.folder = folder;
        // ports: KairosDB 1, coordinator 2, queue node 10, processor 2
        ports = new FreePorts(1 + 2 + queues * 10 + PROCESSORS * 2);
        kairos = ports.next();
        zooKeeper = ports.next();
        configuration = folder.resolve("chimera.yaml");
        add(new Node("c1", "coordinator", COORDINATOR_JVM, settings("c1")));
        for (int i = 1; i <= queues; i++) {
            Map<String, String> settings = settings("q" + i);
            settings.put("queue.address", ports.next());
            settings.put("inputs.influx.http", ports.next());
            String lines = ports.next();
            settings.put("inputs.influx.tcp", lines);
            settings.put("inputs.influx.udp", lines);
            settings.put("inputs.kairosdb.http", ports.next());
            settings.put("inputs.kairosdb.tcp", ports.next());
            settings.put("inputs.prometheus.http", ports.next());
            settings.put("inputs.tweets.tcp", ports.next());
            plugin.filter(shown -> shown.provides(ParserType.class))
                    .ifPresent(parser -> settings.put("inputs.plugin.http", ports.next()));
            add(new Node("q" + i, "queue", QUEUE_JVM, settings));
        }
        for (int i = 1; i <= PROCESSORS; i++) {
            Map<String, String> settings = settings("p" + i);
            settings.put("processor.address", ports.next());
            add(new Node("p" + i, "processor", PROCESSOR_JVM, settings));
        }
        write(
                configuration,
                CONFIGURATION.formatted(zooKeeper, zooKeeper, cycle, kairos, folder.resolve(DemoPlugin.FOLDER)));
        plugin.ifPresent(shown -> write(folder.resolve("conf.d/plugin.yaml"), shown.configuration()));
    }

    private static List<String> jvm(String heap, String buffers) {
        return List.of("-Xmx" + heap, "-XX:MaxDirectMemorySize=" + buffers, "-XX:+UseSerialGC");
    }

    private Map<String, String> settings(String id) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("node.id", id);
        settings.put("node.host", "127.0.0.1");
        settings.put("node.data_dir", folder.resolve(id).toString());
        settings.put("node.http", ports.next());
        return settings;
    }

    private void add(Node node) {
        nodes.put(node.id(), node);
    }

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.FATAL,
                    file + " cannot be written (" + e.getMessage() + "); name another folder with --dir.",
                    e);
        }
    }

    /** Starts all processes and waits until all are ready. */
    void start() throws InterruptedException {
        KairosReader reader = new KairosReader(kairos);
        Path storeFolder = folder.resolve("kairosdb");
        ChildProcess store = ChildProcess.start(
                "KairosDB", KairosServer.command(home, kairos, storeFolder), storeFolder, log("kairosdb"));
        register("kairosdb", store);
        startNode("c1");
        store.awaitReady(reader::isReady);
        awaitReady("c1");
        List<String> others =
                nodes.keySet().stream().filter(id -> !id.equals("c1")).toList();
        others.forEach(this::startNode);
        for (String id : others) {
            awaitReady(id);
        }
    }

    /** Starts or restarts a node. */
    void startNode(String id) {
        Node node = nodes.get(id);
        List<String> arguments = new ArrayList<>(
                List.of("run", node.role(), "--exit-with-parent", "--config", configuration.toString()));
        node.settings().forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        register(
                id,
                ChildProcess.start("Node " + id, home.nodeCommand(node.jvm(), arguments), folder.resolve(id), log(id)));
    }

    private void register(String id, ChildProcess process) {
        synchronized (this) {
            if (!closed) {
                running.put(id, process);
                return;
            }
        }
        process.close(); // Ctrl-C during the start
        throw new ChimeraException(Category.WARN, "The demo was stopped during its start.");
    }

    private synchronized ChildProcess process(String id) {
        return running.get(id);
    }

    /** Waits until a node is ready. */
    void awaitReady(String id) throws InterruptedException {
        process(id).awaitReady(() -> client.isReady(nodes.get(id).http()));
    }

    /** Kills a node as in a crash. */
    void kill(String id) throws InterruptedException {
        process(id).kill();
    }

    /** Stops a node in order. */
    void stopNode(String id) {
        process(id).close();
    }

    /** Whether the process of a node runs. */
    boolean isRunning(String id) {
        return process(id).isAlive();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    boolean has(String id) {
        return nodes.containsKey(id);
    }

    private Path log(String id) {
        return folder.resolve("logs").resolve(id + ".log");
    }

    /** Returns the address of the coordinator's HTTP port. */
    String coordinator() {
        return nodes.get("c1").http();
    }

    /** Returns the address of KairosDB's REST API. */
    String kairos() {
        return kairos;
    }

    /** Returns the addresses of the queue nodes' Influx inputs over HTTP. */
    List<String> inputs() {
        return nodes.values().stream()
                .filter(node -> node.role().equals("queue"))
                .map(node -> node.settings().get("inputs.influx.http"))
                .toList();
    }

    /** Returns the HTTP addresses of the plugin parser's inputs; empty without a plugin parser. */
    List<String> pluginInputs() {
        return nodes.values().stream()
                .map(node -> node.settings().get("inputs.plugin.http"))
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns an address from a node's settings, e.g. for {@code inputs.influx.tcp}. */
    String address(String node, String key) {
        return nodes.get(node).settings().get(key);
    }

    /** Returns the addresses for the user, one line each. */
    List<String> addresses() {
        List<String> lines = new ArrayList<>();
        lines.add("status       http://" + coordinator() + "/status   (./chimera top --http " + coordinator() + ")");
        lines.add("KairosDB     http://" + kairos);
        lines.add("ZooKeeper    " + zooKeeper);
        nodes.values().stream().filter(node -> node.role().equals("queue")).forEach(node -> {
            Map<String, String> settings = node.settings();
            lines.add(node.id() + " influx    http://" + settings.get("inputs.influx.http") + "/write   tcp and udp "
                    + settings.get("inputs.influx.tcp"));
            lines.add(node.id() + " kairosdb  http://" + settings.get("inputs.kairosdb.http") + "   telnet "
                    + settings.get("inputs.kairosdb.tcp"));
            lines.add(node.id() + " prometheus  http://" + settings.get("inputs.prometheus.http") + "/api/v1/write");
            lines.add(node.id() + " tweets    tcp " + settings.get("inputs.tweets.tcp"));
            if (settings.containsKey("inputs.plugin.http")) {
                lines.add(node.id() + " plugin    http://" + settings.get("inputs.plugin.http"));
            }
        });
        lines.add("files        " + folder);
        return lines;
    }

    /** Returns the newest warning or error of each process, one line each, for the report of a failed run. */
    synchronized List<String> warnings() {
        return running.values().stream()
                .flatMap(process -> process.lastWarning().map(line -> process.name() + ": " + line).stream())
                .toList();
    }

    /**
     * Stops all processes in reverse order of dependency: first queue nodes and processors, then the coordinator, then
     * KairosDB.
     */
    @Override
    public void close() {
        List<ChildProcess> all;
        synchronized (this) {
            closed = true;
            all = new ArrayList<>(running.values());
            running.clear();
        }
        ChildProcess store = all.isEmpty() ? null : all.remove(0);
        ChildProcess coordinator = all.isEmpty() ? null : all.remove(0);
        all.forEach(ChildProcess::askToStop); // queue nodes and processors stop in parallel
        all.forEach(ChildProcess::close);
        if (coordinator != null) {
            coordinator.close();
        }
        if (store != null) {
            store.close();
        }
    }
}
