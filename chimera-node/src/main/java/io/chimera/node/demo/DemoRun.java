package io.chimera.node.demo;

import io.chimera.api.spi.ParserType;
import io.chimera.api.spi.Source;
import io.chimera.api.spi.Store;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.row.RowNaming;
import io.chimera.node.child.KairosReader;
import io.chimera.node.load.HttpTarget;
import io.chimera.node.load.LoadPlan;
import io.chimera.node.load.LoadRun;
import io.chimera.node.load.PointFormat;
import io.chimera.node.watch.ClusterSnapshot;
import io.chimera.node.watch.LiveTable;
import io.chimera.node.watch.NodeClient;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;

/**
 * Run of the demo on a started cluster: send the load, watch, stop, wait for the commit of every accepted point, read
 * the rows back, compare.
 */
final class DemoRun {
    private static final long LOOK_MS = 2_000;

    /**
     * Time limit for the commit of all accepted points: several cycles, after the expiry of a killed processor's
     * session. Generous, because a slow machine loses nothing.
     */
    private static final Duration COMMIT_PATIENCE = Duration.ofMinutes(5);

    /** Time limit for rows to become readable. KairosDB shows a row up to 0.3 s after its acknowledgement. */
    private static final Duration VISIBLE_PATIENCE = Duration.ofMinutes(2);

    private static final String SHOWN_METRIC = LoadPlan.METRIC + "." + LoadPlan.FIELD + ".mean";
    private static final int SHOWN_VALUES = 8;

    private final DemoCluster cluster;
    private final LoadPlan plan;
    private final Deque<DemoEvent> events;
    private final Optional<DemoPlugin> plugin;
    private final PrintWriter out;
    private final NodeClient client = new NodeClient();
    private final long beganMs = System.currentTimeMillis();

    /** Creates a run on a ready cluster. */
    DemoRun(DemoCluster cluster, LoadPlan plan, List<DemoEvent> events, Optional<DemoPlugin> plugin, PrintWriter out) {
        this.cluster = cluster;
        this.plan = plan;
        this.events = new ArrayDeque<>(
                events.stream().sorted(Comparator.comparing(DemoEvent::after)).toList());
        this.plugin = plugin;
        this.out = out;
    }

    /** Runs to the end of the load and compares the results. */
    DemoFigures run() throws InterruptedException {
        List<String> inputs = cluster.inputs();
        LoadRun load = new LoadRun(plan, PointFormat.INFLUX);
        CompletableFuture<LoadRun.Result> sending = CompletableFuture.supplyAsync(() -> send(load, inputs));
        SlowFeed host = SlowFeed.ofHost(inputs);
        host.start();
        Optional<SlowFeed> toPlugin = plugin.filter(shown -> shown.provides(ParserType.class))
                .flatMap(DemoPlugin::text)
                .map(text -> new SlowFeed("the plugin's text", cluster.pluginInputs(), () -> text));
        toPlugin.ifPresent(SlowFeed::start);
        watch(sending);
        say("Stopping the load and waiting for the commit of all points.");
        host.stop();
        if (toPlugin.isPresent()) {
            toPlugin.get().stop();
        }
        LoadRun.Result sent = resultOf(sending);
        Settled settled = readBack(hasEndlessInput() ? awaitNextCycle() : awaitCommitted());
        show(settled.read());
        return new DemoFigures(sent, host.acknowledged(), settled.end(), settled.read(), rowsInPlugin(settled.read()));
    }

    /** Whether the plugin has a source: a source sends points until the end of its node. */
    private boolean hasEndlessInput() {
        return plugin.filter(shown -> shown.provides(Source.class)).isPresent();
    }

    /** Number of rows expected in the plugin's store; the accounts include these rows. */
    private long rowsInPlugin(KairosReader.Read read) {
        return plugin.filter(shown -> shown.provides(Store.class)).isPresent()
                ? read.count(DemoPlugin.STORED_TWICE)
                : 0;
    }

    private LoadRun.Result send(LoadRun load, List<String> inputs) {
        try {
            return load.send(
                    inputs.size(),
                    (number, retries) -> new HttpTarget(
                            URI.create("http://" + inputs.get(number) + "/write"),
                            "text/plain",
                            Duration.ofMinutes(2),
                            retries),
                    System.currentTimeMillis() * 1_000_000,
                    true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ChimeraException(Category.ERROR, "The load was interrupted.", e);
        }
    }

    private static LoadRun.Result resultOf(CompletableFuture<LoadRun.Result> sending) throws InterruptedException {
        try {
            return sending.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof ChimeraException typed
                    ? typed
                    : new ChimeraException(Category.ERROR, "The load failed: " + e.getCause(), e);
        }
    }

    private void watch(CompletableFuture<LoadRun.Result> sending) throws InterruptedException {
        LiveTable table = new LiveTable(out);
        long began = System.nanoTime();
        long nextLook = began;
        while (!sending.isDone()) {
            happen(Duration.ofNanos(System.nanoTime() - began));
            if (System.nanoTime() - nextLook >= 0) {
                look(table);
                nextLook = System.nanoTime() + LOOK_MS * 1_000_000;
            }
            Thread.sleep(100);
        }
        look(table);
    }

    private void look(LiveTable table) throws InterruptedException {
        try {
            table.print(ClusterSnapshot.take(client, cluster.coordinator()), System.nanoTime());
        } catch (ChimeraException e) {
            if (!cluster.isClosed()) {
                say(e.getMessage());
            }
        }
    }

    private void happen(Duration since) throws InterruptedException {
        while (!events.isEmpty() && events.peek().after().compareTo(since) <= 0) {
            DemoEvent event = events.remove();
            say((event.kill() ? "Killing " : "Starting ") + event.node() + ".");
            if (event.kill()) {
                cluster.kill(event.node());
            } else {
                cluster.startNode(event.node());
            }
        }
    }

    /** Waits until the accounts cover every accepted point, with a time limit. */
    private ClusterSnapshot awaitCommitted() throws InterruptedException {
        return await(now -> now.account("points") >= now.pointsIn() && now.openCycles() == 0);
    }

    /** Waits for the commit of a cycle begun after this call; that cycle includes all points accepted before. */
    private ClusterSnapshot awaitNextCycle() throws InterruptedException {
        ClusterSnapshot before = snapshot();
        long newest = before.cycle() + before.openCycles();
        return await(now -> now.cycle() > newest && now.cycleTimeMs() >= 0);
    }

    private ClusterSnapshot await(Predicate<ClusterSnapshot> isCommitted) throws InterruptedException {
        long deadline = System.nanoTime() + COMMIT_PATIENCE.toNanos();
        LiveTable table = new LiveTable(out);
        while (true) {
            ClusterSnapshot now = snapshot();
            boolean isLate = System.nanoTime() > deadline;
            if (isCommitted.test(now) || isLate) {
                table.print(now, System.nanoTime());
                if (isLate) {
                    say("Some points are not committed after " + COMMIT_PATIENCE.toSeconds() + " s.");
                }
                return now;
            }
            Thread.sleep(250);
        }
    }

    /** Takes a snapshot. A source's points outside committed cycles count neither as accepted nor as missing. */
    private ClusterSnapshot snapshot() throws InterruptedException {
        ClusterSnapshot now = ClusterSnapshot.take(client, cluster.coordinator());
        return hasEndlessInput() ? now.accepting(now.account("points")) : now;
    }

    /**
     * Reads the rows of the snapshot's cycles only, because the points of a source continue to be committed meanwhile.
     */
    private Settled readBack(ClusterSnapshot committed) throws InterruptedException {
        KairosReader reader = new KairosReader(cluster.kairos());
        long deadline = System.nanoTime() + VISIBLE_PATIENCE.toNanos();
        // rows carry their cycle's time, taken by the coordinator from a clock of this machine
        long from = beganMs - Duration.ofMinutes(10).toMillis();
        while (true) {
            KairosReader.Read read = reader.readAll(from, hasEndlessInput() ? committed.cycleTimeMs() : now());
            boolean isSettled = read.rows() + rowsInPlugin(read) == committed.account("rows");
            if (isSettled || System.nanoTime() >= deadline) {
                return new Settled(committed, read);
            }
            Thread.sleep(500);
        }
    }

    private record Settled(ClusterSnapshot end, KairosReader.Read read) {}

    private void show(KairosReader.Read read) throws InterruptedException {
        show(SHOWN_METRIC);
        for (String metric : plugin.map(DemoPlugin::metrics).orElse(List.of())) {
            show(metric);
        }
        long inPlugin = rowsInPlugin(read);
        if (inPlugin > 0) {
            say("The plugin's store received " + inPlugin + " rows of " + DemoPlugin.STORED_TWICE
                    + ", as did KairosDB.");
        }
        if (plugin.filter(shown -> shown.provides(ParserType.class) || shown.provides(Source.class))
                .isPresent()) {
            read.sums().forEach((metric, points) -> {
                RowNaming.parse(metric)
                        .filter(row -> row.function().equals("count") && !isOwn(metric))
                        .ifPresent(row -> say("The plugin's input received " + points.longValue() + " points of "
                                + row.metric() + "." + row.field() + "."));
            });
        }
    }

    private static boolean isOwn(String metric) {
        return metric.startsWith(LoadPlan.METRIC + ".") || metric.startsWith(HostMetrics.PREFIX);
    }

    private void show(String metric) throws InterruptedException {
        Map<String, String> tags = Map.of("series", "s0");
        List<double[]> values = new KairosReader(cluster.kairos())
                .series(metric, tags, beganMs - Duration.ofMinutes(10).toMillis(), now());
        say("One aggregated series in KairosDB, " + metric + " of series s0, the last "
                + Math.min(SHOWN_VALUES, values.size()) + " of " + values.size() + " rows:");
        for (double[] value : values.subList(Math.max(0, values.size() - SHOWN_VALUES), values.size())) {
            say("  " + Instant.ofEpochMilli((long) value[0]) + "  " + value[1]);
        }
    }

    private static long now() {
        return System.currentTimeMillis() + Duration.ofMinutes(10).toMillis();
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
