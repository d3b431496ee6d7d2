package io.chimera.bench.peers.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.apps.node.child.ChildProcess;
import io.chimera.apps.node.child.FreePorts;
import io.chimera.apps.node.child.KairosReader;
import io.chimera.apps.node.child.KairosServer;
import io.chimera.apps.node.watch.NodeClient;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.peers.counting.CountingStore;
import io.chimera.bench.peers.job.ResultTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Chimera as it is run: coordinator, queue nodes and processors in processes of their own, fed over HTTP, every point in the
 * journal before it is acknowledged, rows read back from the store before a cycle counts. A pass is over when the
 * coordinator has accounted for all its points.
 */
public final class ChimeraEngine implements Engine {
    /** Compiled simply: it decides some times a second, so there is nothing that code of the better compiler would win back. */
    private static final String SIMPLE_COMPILER = "-XX:TieredStopAtLevel=1";

    /** Heap and buffers; the product's own default is what the JVM takes, a quarter of the machine. */
    private static final List<String> COORDINATOR_JVM = jvm("128m", "64m", SIMPLE_COMPILER);

    private static final List<String> QUEUE_JVM = jvm("128m", "256m");
    private static final List<String> PROCESSOR_JVM = jvm("256m", "256m");
    private static final long POLL_MS = 20;
    private static final long PATIENCE_S = 600;

    private final Workplace workplace;
    private final ChimeraSetup setup;
    private final PointShape shape;
    private final FreePorts ports = new FreePorts(32);
    private final String zooKeeper = ports.next();
    private final String store = ports.next();
    private final String coordinator = ports.next();
    private final Path configuration;
    private final NodeClient client = new NodeClient();
    private final Map<String, ChildProcess> nodes = new LinkedHashMap<>();
    private final Map<String, String> addresses = new LinkedHashMap<>();
    private final List<String> inputs = new ArrayList<>();
    private final List<Long> pids = new CopyOnWriteArrayList<>();
    private final long startMs = System.currentTimeMillis();
    private ChildProcess kairos;
    private PeerProcess feeder;
    private int passes;

    /** Chimera in a setup. */
    public ChimeraEngine(Workplace workplace, ChimeraSetup setup, PointShape shape) {
        this.workplace = workplace;
        this.setup = setup;
        this.shape = shape;
        configuration = workplace.folder().resolve("chimera.yaml");
    }

    private static List<String> jvm(String heap, String buffers, String... more) {
        List<String> flags =
                new ArrayList<>(List.of("-Xmx" + heap, "-XX:MaxDirectMemorySize=" + buffers, "-XX:+UseSerialGC"));
        flags.addAll(List.of(more));
        return List.copyOf(flags);
    }

    @Override
    public void start() throws IOException, InterruptedException {
        Files.writeString(configuration, setup.configuration(zooKeeper, store));
        if (setup.toKairosDb()) {
            startKairosDb();
        }
        startNode("c1", "coordinator", COORDINATOR_JVM, coordinator, Map.of());
        awaitReady("c1");
        for (int i = 1; i <= setup.queueNodes(); i++) {
            inputs.add(ports.next());
            Map<String, String> settings =
                    Map.of("queue.address", ports.next(), "inputs.influx.http", inputs.get(i - 1));
            startNode("q" + i, "queue", QUEUE_JVM, ports.next(), settings);
        }
        for (int i = 1; i <= ChimeraSetup.PROCESSORS; i++) {
            List<String> flags = new ArrayList<>(PROCESSOR_JVM);
            flags.add("-D" + CountingStore.RESULTS + "=" + results(i));
            startNode("p" + i, "processor", flags, ports.next(), Map.of("processor.address", ports.next()));
        }
        for (String id : List.copyOf(nodes.keySet())) {
            awaitReady(id);
        }
        feeder = Feeders.http(workplace, inputs);
    }

    private void startKairosDb() throws InterruptedException {
        Path folder = workplace.folder().resolve("kairosdb");
        kairos = ChildProcess.start(
                "KairosDB",
                KairosServer.command(workplace.home(), store, folder),
                folder,
                workplace.folder().resolve("kairosdb.log"));
        KairosReader reader = new KairosReader(store);
        kairos.awaitReady(reader::isReady);
    }

    private void startNode(String id, String role, List<String> flags, String http, Map<String, String> settings) {
        Path folder = workplace.folder().resolve(id);
        List<String> arguments =
                new ArrayList<>(List.of("run", role, "--exit-with-parent", "--config", configuration.toString()));
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put("node.id", id);
        all.put("node.host", "127.0.0.1");
        all.put("node.data_dir", folder.toString());
        all.put("node.http", http);
        all.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        ChildProcess node = ChildProcess.start(
                "Node " + id,
                workplace.home().nodeCommand(flags, List.of(workplace.benchClasses()), arguments),
                folder,
                workplace.folder().resolve(id + ".log"));
        nodes.put(id, node);
        addresses.put(id, http);
        pids.add(node.pid());
    }

    private void awaitReady(String id) throws InterruptedException {
        nodes.get(id).awaitReady(() -> client.isReady(addresses.get(id)));
    }

    private Path results(int processor) {
        return workplace.folder().resolve("p" + processor + ".results");
    }

    @Override
    public void pass() throws IOException, InterruptedException {
        passes++;
        feeder.go();
        feeder.awaitDone();
        long wanted = (long) passes * workplace.points();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        JsonNode totals = totals();
        while (totals.path("points").asLong() < wanted) {
            if (System.nanoTime() > deadline) {
                throw new IOException("Chimera has accounted for " + totals + " of " + wanted + " points after "
                        + PATIENCE_S + " s; see the logs in " + workplace.folder() + ".");
            }
            Thread.sleep(POLL_MS);
            totals = totals();
        }
        if (totals.path("aggregated").asLong() != wanted) {
            throw new IOException("Chimera did not aggregate all of " + wanted + " points: " + totals + ".");
        }
    }

    private JsonNode totals() throws InterruptedException {
        return client.status(coordinator, "coordinator").path("totals");
    }

    @Override
    public List<Long> pids() {
        return pids;
    }

    @Override
    public List<Long> feederPids() {
        return feeder == null ? List.of() : List.of(feeder.pid());
    }

    @Override
    public ResultTable finish() throws IOException, InterruptedException {
        ResultTable results = new ResultTable();
        if (setup.toKairosDb()) {
            results.add(KairosResults.read(new KairosReader(store), shape, startMs));
        }
        feeder.close();
        stopNodes();
        for (int i = 1; i <= ChimeraSetup.PROCESSORS && !setup.toKairosDb(); i++) {
            results.add(ResultTable.read(results(i)));
        }
        return results;
    }

    /** Those that need the coordinator first, and it last. */
    private void stopNodes() {
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

    @Override
    public void close() {
        if (feeder != null) {
            feeder.close();
        }
        stopNodes();
        if (kairos != null) {
            kairos.close();
        }
    }
}
