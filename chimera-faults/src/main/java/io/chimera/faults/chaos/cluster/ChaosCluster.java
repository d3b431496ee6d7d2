package io.chimera.faults.chaos.cluster;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.identity.LaneId;
import io.chimera.common.identity.NodeIdentity;
import io.chimera.faults.chaos.access.ClusterCredentials;
import io.chimera.faults.chaos.intruder.AttackTarget;
import io.chimera.faults.chaos.machine.LoopDisk;
import io.chimera.faults.chaos.machine.NamespacePorts;
import io.chimera.faults.chaos.machine.Network;
import io.chimera.faults.chaos.machine.Sandbox;
import io.chimera.faults.chaos.machine.SteppedClock;
import io.chimera.faults.chaos.machine.WorkFolder;
import io.chimera.node.ChimeraHome;
import io.chimera.node.child.ChildProcess;
import io.chimera.node.child.KairosReader;
import io.chimera.node.child.KairosServer;
import io.chimera.node.watch.NodeClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The processes of the cluster, each on a separate host: three ZooKeeper servers, two coordinators, three queue nodes
 * or two of each journal group, three processors, and KairosDB, on Cassandra if requested; or archives of the
 * processors in place of KairosDB. The journals of the last queue node are on a small disk that can be filled, the
 * archive of the last processor on a device that can fail. One thread.
 */
public final class ChaosCluster {
    private static final int PROCESSORS = 3;
    private static final int COORDINATORS = 2;
    private static final int ZOOKEEPERS = 3;

    private static final int HTTP_PORT = 9600;
    private static final int INPUT_PORT = 8086;
    private static final int STORE_PORT = 8080;
    private static final Duration NODE_TIMEOUT = Duration.ofSeconds(2);

    /**
     * Size of the small disk for each lane: enough for the journal of a lane for many minutes of load, and filled
     * within a second.
     */
    private static final long DISK_BYTES = 512L << 20;

    /** Heap, and direct memory, in MiB, of each lane above the first. */
    private static final int LANE_MIB = 64;

    /** Certificate roles by host role. */
    private static final Map<Role, String> ISSUED = Map.of(
            Role.ZOOKEEPER, NodeIdentity.COORDINATOR,
            Role.COORDINATOR, NodeIdentity.COORDINATOR,
            Role.QUEUE, NodeIdentity.QUEUE,
            Role.PROCESSOR, NodeIdentity.PROCESSOR);

    private final ChimeraHome home;
    private final Path folder;
    private final Network network;
    private final Path configuration;
    private final NodeConfiguration layout;
    private final LoopDisk disk;
    private final Optional<FailingVolume> failing;
    private final Map<String, Role> hosts = new LinkedHashMap<>();
    private final Map<String, ChildProcess> processes = new HashMap<>();
    private final Map<String, SteppedClock> clocks = new HashMap<>();
    private final ClusterCredentials credentials;
    private final NodeClient client;

    /**
     * Creates a cluster with its hosts and its disk; starts no process yet.
     *
     * @param network network of the hosts
     * @param folder takes all files: journals, databases, logs
     * @param configuration of its nodes
     */
    public ChaosCluster(ChimeraHome home, Network network, Path folder, NodeConfiguration configuration)
            throws InterruptedException {
        this.home = home;
        this.network = network;
        this.folder = folder;
        this.configuration = folder.resolve("chimera.yaml");
        layout = configuration;
        RowStore store = layout.store();
        credentials = ClusterCredentials.make(folder.resolve("credentials"));
        addHosts(Role.ZOOKEEPER, "zk", configuration.hasEnsemble() ? ZOOKEEPERS : 0);
        addHosts(Role.COORDINATOR, "c", COORDINATORS);
        for (List<String> nodes : layout.queueNodes().values()) {
            for (String node : nodes) {
                addHost(Role.QUEUE, node);
            }
        }
        addHosts(Role.PROCESSOR, "p", PROCESSORS);
        addHosts(Role.STORE, "kairos", store == RowStore.ARCHIVE ? 0 : 1);
        addHosts(Role.DATABASE, "cassandra", store == RowStore.CASSANDRA ? 1 : 0);
        disk = LoopDisk.mount(
                folder.resolve("disk.img"),
                DISK_BYTES * layout.lanesOf(Role.QUEUE),
                folder.resolve(hostWithSmallDisk()));
        failing = store == RowStore.ARCHIVE ? Optional.of(FailingVolume.make(folder)) : Optional.empty();
        try {
            Files.writeString(
                    this.configuration,
                    configuration.text(
                            credentials.folder(), zooKeeperAddresses(), store == RowStore.ARCHIVE ? "" : kairos()));
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.FATAL, this.configuration + " cannot be written: " + e.getMessage() + ".", e);
        }
        client = client(NODE_TIMEOUT);
    }

    private List<String> jvm(Role role) {
        return switch (role) {
            case QUEUE -> jvm(160, 192, role);
            case PROCESSOR -> jvm(160, 128, role);
            case ZOOKEEPER, COORDINATOR, STORE, DATABASE -> jvm(96, 64, role);
        };
    }

    private List<String> jvm(int heapMib, int buffersMib, Role role) {
        int ofLanes = (layout.lanesOf(role) - 1) * LANE_MIB;
        return List.of(
                "-Xmx" + (heapMib + ofLanes) + "m",
                "-XX:MaxDirectMemorySize=" + (buffersMib + ofLanes) + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1");
    }

    private void addHosts(Role role, String name, int count) throws InterruptedException {
        for (int i = 1; i <= count; i++) {
            addHost(role, name + i);
        }
    }

    private void addHost(Role role, String host) throws InterruptedException {
        hosts.put(host, role);
        network.add(host);
        if (ISSUED.containsKey(role)) {
            credentials.issue(ISSUED.get(role), host, List.of(network.address(host)));
        }
        if (role == Role.COORDINATOR || role == Role.QUEUE || role == Role.PROCESSOR) {
            SteppedClock.at(folder.resolve("clocks").resolve(host)).ifPresent(clock -> clocks.put(host, clock));
        }
    }

    /** Starts all processes and waits until all are ready. */
    public void start() throws InterruptedException {
        start(List.of(Role.DATABASE, Role.ZOOKEEPER));
        start(List.of(Role.STORE, Role.COORDINATOR, Role.QUEUE, Role.PROCESSOR));
    }

    private void start(List<Role> roles) throws InterruptedException {
        List<String> started =
                roles.stream().flatMap(role -> hosts(role).stream()).toList();
        started.forEach(this::start);
        for (String host : started) {
            awaitReady(host);
        }
    }

    /** Starts or restarts a host's process. */
    public void start(String host) {
        start(host, Map.of());
    }

    /**
     * Restarts a node's process with other settings.
     *
     * @param more additional settings by key, next to the common settings of all nodes
     */
    public void start(String host, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>();
        environment.put("JDK_JAVA_OPTIONS", "-XX:-UsePerfData -Djava.io.tmpdir=" + Sandbox.temporary(folder));
        if (clocks.containsKey(host)) {
            environment.putAll(clocks.get(host).environment());
        }
        processes.put(
                host,
                ChildProcess.start(
                        host, network.on(host, command(host, more)), environment, folder.resolve(host), log(host)));
    }

    private List<String> command(String host, Map<String, String> more) {
        Role role = hosts.get(host);
        return switch (role) {
            case ZOOKEEPER -> {
                List<String> servers = hosts(Role.ZOOKEEPER);
                List<String> addresses = servers.stream().map(network::address).toList();
                yield ZooKeeperServer.command(
                        home,
                        servers.indexOf(host) + 1,
                        addresses,
                        folder.resolve(host),
                        credentials.joined(ISSUED.get(role), host),
                        credentials.ca());
            }
            case STORE -> storeCommand(host);
            case DATABASE -> CassandraServer.command(home, network.address(host), folder.resolve(host));
            case COORDINATOR, QUEUE, PROCESSOR -> nodeCommand(host, role, more);
        };
    }

    private List<String> storeCommand(String host) {
        List<String> databases = hosts(Role.DATABASE);
        return databases.isEmpty()
                ? KairosServer.durableCommand(home, kairos(), folder.resolve(host))
                : KairosServer.commandOnCassandra(
                        home, kairos(), folder.resolve(host), network.address(databases.get(0)));
    }

    private List<String> nodeCommand(String host, Role role, Map<String, String> more) {
        List<String> arguments = new ArrayList<>(
                List.of("run", role.name().toLowerCase(Locale.ROOT), "--config", configuration.toString()));
        Map<String, String> settings = new LinkedHashMap<>(more);
        settings.put("node.id", host);
        settings.put("node.host", network.address(host));
        settings.put("node.data_dir", dataFolder(host).toString());
        settings.putAll(layout.settings(role, host));
        List<String> sections = new ArrayList<>(List.of("node.tls.", "coordinator.tls."));
        if (role == Role.QUEUE) {
            sections.add("inputs.influx.tls.");
        }
        if (zooKeepers().contains(host)) {
            settings.put("coordinator.embedded.run", "always");
            settings.put("coordinator.embedded.address", network.address(host) + ":" + ZooKeeperServer.CLIENT_PORT);
        }
        for (String section : sections) {
            settings.put(
                    section + "cert", credentials.cert(ISSUED.get(role), host).toString());
            settings.put(
                    section + "key", credentials.key(ISSUED.get(role), host).toString());
        }
        if (failing.isPresent() && host.equals(hostWithFailingVolume())) {
            settings.put("stores.rows.archive.devices", "[" + volume(host) + "]");
        }
        settings.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        return home.nodeCommand(jvm(role), arguments);
    }

    /** Waits until a host's process is ready. */
    public void awaitReady(String host) throws InterruptedException {
        processes.get(host).awaitReady(() -> isReady(host));
    }

    private boolean isReady(String host) throws InterruptedException {
        return switch (hosts.get(host)) {
            case ZOOKEEPER -> !mode(host).isEmpty();
            case STORE -> new KairosReader(kairos()).isReady();
            case DATABASE -> CassandraServer.isReady(network.address(host));
            case COORDINATOR, QUEUE, PROCESSOR -> client.isReady(http(host));
        };
    }

    /** Waits until all processes are ready. */
    public void awaitAllReady() throws InterruptedException {
        for (String host : hosts.keySet()) {
            awaitReady(host);
        }
    }

    /** Restarts the processes that ended unexpectedly, and returns their hosts. */
    public List<String> revive() {
        List<String> ended = hosts.keySet().stream()
                .filter(host -> !processes.get(host).isAlive())
                .toList();
        ended.forEach(this::start);
        return ended;
    }

    /** Returns the hosts of a role. */
    public List<String> hosts(Role role) {
        return hosts.entrySet().stream()
                .filter(host -> host.getValue() == role)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the queue nodes of each journal group, by name of the group. */
    public Map<String, List<String>> groups() {
        return layout.queueNodes();
    }

    /** Returns the process of a host. */
    public ChildProcess process(String host) {
        return processes.get(host);
    }

    /** Deletes all data of a node. The process must not be running. */
    public void emptyDisk(String host) {
        WorkFolder.delete(dataFolder(host));
    }

    /** Returns the data folder of a node. */
    public Path dataFolder(String host) {
        return folder.resolve(host).resolve("data");
    }

    /** Returns the data folders of the lanes of a node, from lane 0. */
    public List<Path> laneFolders(String host) {
        return IntStream.range(0, layout.lanesOf(hosts.get(host)))
                .mapToObj(lane -> LaneId.folder(dataFolder(host), lane))
                .toList();
    }

    /**
     * Returns the volume with the archived journal files of a lane of a queue node.
     *
     * @param laneFolder data folder of the lane
     */
    public static Path journalVolume(Path laneFolder) {
        return laneFolder.resolve("journal.volume");
    }

    /** Returns the volume with the rows of a processor. */
    public Path volume(String host) {
        return host.equals(hostWithFailingVolume())
                ? failing.orElseThrow().path()
                : dataFolder(host).resolve("points.volume");
    }

    /** Returns the volume of {@link #hostWithFailingVolume}; empty for processors without volumes. */
    public Optional<FailingVolume> failingVolume() {
        return failing;
    }

    /** Returns the processor whose volume can fail. */
    public static String hostWithFailingVolume() {
        return "p" + PROCESSORS;
    }

    /**
     * Runs a command of Chimera to its end.
     *
     * @param host host of the process
     * @param arguments of the command
     * @return standard output of the command
     * @throws ChimeraException when the command fails; names the log
     */
    public String run(String host, List<String> arguments) throws InterruptedException {
        Path log = log("commands");
        List<String> command = network.on(host, home.nodeCommand(jvm(Role.COORDINATOR), arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            process.getOutputStream().close();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.waitFor() != 0) {
                throw new ChimeraException(
                        Category.ERROR,
                        "'chimera " + String.join(" ", arguments) + "' failed, see " + log + ": " + printed);
            }
            return printed;
        } catch (IOException e) {
            throw new ChimeraException(Category.FATAL, "Cannot run a command: " + e.getMessage() + ".", e);
        }
    }

    /** Returns the configuration file of all nodes. */
    public Path configurationFile() {
        return configuration;
    }

    /** Returns the clock of a host; empty when clocks cannot be stepped. */
    public Optional<SteppedClock> clock(String host) {
        return Optional.ofNullable(clocks.get(host));
    }

    /** Returns the disk of {@link #hostWithSmallDisk}. */
    public LoopDisk disk() {
        return disk;
    }

    /** Returns the queue node whose journal can run out of disk space. */
    public String hostWithSmallDisk() {
        List<String> queues = hosts(Role.QUEUE);
        return queues.get(queues.size() - 1);
    }

    /** Returns the leading ZooKeeper server; the first server when no server reports leadership. */
    public String zooKeeperLeader() {
        List<String> servers = hosts(Role.ZOOKEEPER);
        return servers.stream()
                .filter(host -> mode(host).equals("leader"))
                .findFirst()
                .orElse(servers.get(0));
    }

    private String mode(String host) {
        return ZooKeeperServer.mode(network.address(host), credentials.operator());
    }

    /**
     * Returns every listening port of a Chimera or ZooKeeper process, as reported by the kernel, with the service named
     * in the configuration. Hosts without a running process have no ports.
     */
    public List<AttackTarget> targets() {
        ServicePorts services = new ServicePorts(configuration(), layout);
        List<AttackTarget> targets = new ArrayList<>();
        hosts.forEach((host, role) -> {
            if (ISSUED.containsKey(role)) {
                for (int port : NamespacePorts.of(processes.get(host).pid())) {
                    targets.add(new AttackTarget(host, network.address(host), port, services.kind(role, port)));
                }
            }
        });
        return targets;
    }

    /** Returns the configuration of all nodes, with the certificate and the token of an operator. */
    public ChimeraConfig configuration() {
        return new ConfigLoader(Map.of()).load(configuration, List.of());
    }

    /** Returns certificates and tokens of the cluster. */
    public ClusterCredentials credentials() {
        return credentials;
    }

    /** Returns a client of the nodes with an operator's certificate and token. */
    public NodeClient client(Duration timeout) {
        return NodeClient.of(configuration(), timeout);
    }

    /** Returns the HTTP addresses of the coordinators. */
    public List<String> coordinators() {
        return hosts(Role.COORDINATOR).stream().map(this::http).toList();
    }

    /** Returns the HTTP address of a node. */
    public String http(String host) {
        return network.address(host) + ":" + HTTP_PORT;
    }

    /** Returns the InfluxDB inputs of the queue nodes, by host. */
    public Map<String, String> inputs() {
        Map<String, String> inputs = new LinkedHashMap<>();
        hosts(Role.QUEUE).forEach(host -> inputs.put(host, network.address(host) + ":" + INPUT_PORT));
        return inputs;
    }

    /** Returns the address of KairosDB's REST API. */
    public String kairos() {
        return network.address(hosts(Role.STORE).get(0)) + ":" + STORE_PORT;
    }

    /** Returns the hosts with ZooKeeper's data: the servers, or the coordinator with the embedded server. */
    public List<String> zooKeepers() {
        List<String> servers = hosts(Role.ZOOKEEPER);
        return servers.isEmpty() ? hosts(Role.COORDINATOR).subList(0, 1) : servers;
    }

    /**
     * Deletes ZooKeeper's data on a host, and all other data of a coordinator on the host. The process must not be
     * running.
     */
    public void emptyZooKeeper(String host) {
        emptyDisk(host);
    }

    private String zooKeeperAddresses() {
        return String.join(
                ",",
                zooKeepers().stream()
                        .map(host -> network.address(host) + ":" + ZooKeeperServer.CLIENT_PORT)
                        .toList());
    }

    private Path log(String host) {
        return folder.resolve("logs").resolve(host + ".log");
    }
}
