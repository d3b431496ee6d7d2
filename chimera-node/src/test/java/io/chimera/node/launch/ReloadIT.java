package io.chimera.node.launch;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.plugin.PluginJar;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Invocation;
import io.chimera.node.child.FreePorts;
import io.chimera.node.replay.RowCatcher;
import io.chimera.node.watch.NodeClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pipelines and plugins of a cluster of processes change under load. */
@Tag("it")
final class ReloadIT {

    /** Roles by node, in the order of their start. */
    private static final Map<String, String> ROLES =
            new TreeMap<>(Map.of("c1", "coordinator", "p1", "processor", "p2", "processor", "q1", "queue"));

    /** Block that counts all points of the last ten minutes at the end of each cycle. */
    private static final String TALLY = """
        package p;
        import io.chimera.api.spi.*;
        public final class Tally implements TransformType {
            public String name() { return "tally"; }
            public java.time.Duration horizon(PluginContext context) { return java.time.Duration.ofMinutes(10); }
            public Transform create(PluginContext context) {
                return new Transform() {
                    private long count;
                    public void apply(PointView point, Outlet out) { count++; }
                    public void endCycle(long timeNs, Outlet out) {
                        if (count > 0) out.point(0).metric("tally").tag("host", "a").field("%s", count).end();
                    }
                };
            }
        }
        """;

    private final NodeClient client = new NodeClient();
    private final HttpClient http = HttpClient.newHttpClient();
    private final RowCatcher store = new RowCatcher();
    private final String input = freeAddress();
    private final String zooKeeper = freeAddress();
    private final Map<String, String> nodes = new LinkedHashMap<>();
    private final List<Process> processes = new ArrayList<>();
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicReference<Throwable> failed = new AtomicReference<>();
    private volatile boolean isOver;
    private Thread load;

    @TempDir
    Path folder;

    ReloadIT() throws IOException {}

    @AfterEach
    void stop() throws InterruptedException {
        endLoad();
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
        store.close();
    }

    @Test
    void replacesABlockAtOneCycleBoundaryWhenAllNodesCanAndLeavesAllAsItWasWhileOneCannot() throws Exception {
        String all = "all: { where: cpu, stores: k, aggregate: { functions: count }, rows: { tags: { of: all } } }";
        String block = """
            named:
                where: cpu
                stores: k
                aggregate: { functions: count }
                before: { blocks: { other: { type: rename, metric: { cpu: %s } } } }
                rows: { tags: { of: named } }
            """;
        start(all, block.formatted("once"));
        awaitRows("once.value.count", 3);

        configure("p2", all, block.formatted("twice").replace("count", "no_such"));
        for (String node : List.of("c1", "p1", "q1")) {
            configure(node, all, block.formatted("twice"));
        }
        Invocation refused = reload();
        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.out()).contains("p2: ").contains("no_such").contains("q1: Configuration ");
        assertThat(refused.err()).contains("Nothing changes: p2 refused");
        int known = rows("once.value.count").size();
        awaitRows("once.value.count", known + 3);
        assertThat(rows("twice.value.count")).isEmpty();
        assertThat(client.get("http://" + nodes.get("p2") + "/status"))
                .contains("Reload refused")
                .contains("no_such");
        assertThat(client.isReady(nodes.get("p2"))).isTrue();
        Invocation status = Invocation.of("cluster", "status", "--http", nodes.get("c1"));
        assertThat(status.out()).contains("the newer configuration of q1, p1 waits for the coordinator");

        configure("p2", all, block.formatted("twice"));
        assertThat(reload().exitCode()).isZero();
        awaitRows("twice.value.count", 3);
        endLoad();
        awaitAllStored();

        changedOnce("once.value.count", "twice.value.count", rows("cpu.value.count"));
        assertThat(client.get("http://" + nodes.get("p2") + "/status")).doesNotContain("Reload refused");
        assertThat(Invocation.of("cluster", "status", "--http", nodes.get("c1")).out())
                .doesNotContain("waits for");
        assertThat(reloadOf("q1", "cycle: { every: 700ms }"))
                .contains("cycle.every")
                .contains("Restart the node");
    }

    @Test
    void takesUpANewVersionOfAPluginAtOneCycleBoundaryWithItsStateBuiltOutOfThePast() throws Exception {
        plugin("1.0", "one");
        String pipelines = """
            all: { where: cpu, stores: k, aggregate: { functions: count } }
              tally:
                where: cpu
                stores: k
                after: { blocks: { it: { type: tally } } }
                aggregate: { by: host, functions: max }
            """;
        deploy();
        start(pipelines);
        awaitRows("tally.one.max", 4);

        plugin("2.0", "two");
        assertThat(deploy().out()).contains("chimera cluster reload");
        int known = rows("tally.one.max").size();
        awaitRows("tally.one.max", known + 2);
        assertThat(reload().exitCode()).isZero();
        awaitRows("tally.two.max", 4);
        endLoad();
        awaitAllStored();

        SortedMap<Long, Double> points = rows("cpu.value.count");
        SortedMap<Long, Double> totals = new TreeMap<>();
        double total = 0;
        for (Map.Entry<Long, Double> cycle : points.entrySet()) {
            total += cycle.getValue();
            totals.put(cycle.getKey(), total);
        }
        changedOnce("tally.one.max", "tally.two.max", totals);
    }

    /** Up to one cycle the rows have the old name, from the next cycle on the new name, and no row is missing. */
    private void changedOnce(String before, String after, SortedMap<Long, Double> expected) {
        await().untilAsserted(() -> {
            SortedMap<Long, Double> old = rows(before);
            SortedMap<Long, Double> now = rows(after);
            assertThat(old).isNotEmpty().isEqualTo(expected.headMap(now.firstKey()));
            assertThat(now).isEqualTo(expected.tailMap(now.firstKey()));
        });
        assertThat(store.changes())
                .as("rows that came again with another value")
                .isZero();
    }

    private void awaitRows(String metric, int count) {
        await().until(() -> rows(metric).size() >= count || failed.get() != null);
        assertThat(failed.get()).isNull();
    }

    private void awaitAllStored() {
        await().untilAsserted(() -> assertThat(rows("cpu.value.count").values().stream()
                        .mapToDouble(Double::doubleValue)
                        .sum())
                .isEqualTo(sent.get()));
    }

    /** Returns the rows of a metric with one series, by the time of their cycles. */
    private SortedMap<Long, Double> rows(String metric) {
        SortedMap<Long, Double> rows = new TreeMap<>();
        store.rows().forEach((row, value) -> {
            if (row.startsWith(metric + " ")) {
                rows.put(Long.parseLong(row.substring(row.lastIndexOf(' ') + 1)), value);
            }
        });
        return rows;
    }

    private Invocation reload() {
        return Invocation.of("cluster", "reload", "--http", nodes.get("c1"));
    }

    /** Returns a node's answer to a reload after a change of one line in its file. */
    private String reloadOf(String node, String line) throws Exception {
        Path file = folder.resolve(node + ".yaml");
        Files.writeString(file, Files.readString(file).replace("cycle: { every: 500ms }", line));
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + nodes.get(node) + "/-/reload"))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(409);
        return answer.body();
    }

    private void plugin(String version, String field) throws IOException {
        new PluginJar()
                .version(version)
                .provide("TransformType", "p.Tally", TALLY.formatted(field))
                .write(folder.resolve("built/tally/tally.jar"));
    }

    private Invocation deploy() {
        Invocation deployed = Invocation.of(
                "plugin",
                "deploy",
                folder.resolve("built/tally").toString(),
                "--folder",
                folder.resolve("plugins").toString());
        assertThat(deployed.exitCode()).as(deployed.err()).isZero();
        return deployed;
    }

    private void configure(String node, String... pipelines) throws IOException {
        Files.writeString(folder.resolve(node + ".yaml"), """
            coordinator: { connect: "%s", embedded: { run: always, address: "%s" } }
            cycle: { every: 500ms }
            queue: { address: "127.0.0.1:0", acks: 1, journal: { max_bytes: 256MiB, reserve: 1MiB } }
            processor: { address: "127.0.0.1:0" }
            inputs: { influx: { http: "%s" } }
            stores: { k: { url: "%s" } }
            plugins: { folder: "%s" }
            pipelines:
              %s
            """.formatted(
                zooKeeper, zooKeeper, input, store.url(), folder.resolve("plugins"), String.join("\n  ", pipelines)));
    }

    /** Starts all nodes, and the load once the nodes are ready. */
    private void start(String... pipelines) throws IOException {
        for (Map.Entry<String, String> node : ROLES.entrySet()) {
            configure(node.getKey(), pipelines);
            nodes.put(node.getKey(), freeAddress());
            startNode(node.getKey(), node.getValue());
        }
        for (String address : nodes.values()) {
            await().until(() -> client.isReady(address));
        }
        load = new Thread(this::send, "load");
        load.start();
    }

    private void startNode(String id, String role) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("run", role, "-c", folder.resolve(id + ".yaml").toString()));
        for (String setting : List.of(
                "node.http=" + nodes.get(id),
                "node.id=" + id,
                "node.host=127.0.0.1",
                "node.data_dir=" + folder.resolve(id))) {
            arguments.addAll(List.of("--set", setting));
        }
        processes.add(new ProcessBuilder(ChimeraHome.find().nodeCommand(List.of("-Xmx256m"), arguments))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(id + ".log").toFile())
                .start());
    }

    private void send() {
        try {
            while (!isOver) {
                HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + input + "/write"))
                        .POST(HttpRequest.BodyPublishers.ofString("cpu,host=a value=1\n"))
                        .build();
                HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
                sent.incrementAndGet();
            }
        } catch (IOException | InterruptedException | AssertionError e) {
            failed.set(e);
        }
    }

    private void endLoad() throws InterruptedException {
        isOver = true;
        if (load != null) {
            load.join();
        }
        assertThat(failed.get()).isNull();
    }

    private static String freeAddress() {
        return new FreePorts(1).next();
    }
}
