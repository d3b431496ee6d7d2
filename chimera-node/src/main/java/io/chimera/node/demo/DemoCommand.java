package io.chimera.node.demo;

import io.chimera.common.config.binding.Durations;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Json;
import io.chimera.node.MachineFacts;
import io.chimera.node.load.LoadPlan;
import io.chimera.node.option.DurationConverter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a whole cluster on this machine as a demonstration. */
@Command(
        name = "demo",
        description = {
            "Run a whole cluster on this machine: load it, check every row, stop it.",
            "Starts a coordinator with its ZooKeeper, KairosDB, two queue nodes and three processors as processes on"
                    + " loopback. Sends this machine's own metrics and a generated load. After the load, waits for the"
                    + " commit of all accepted points, reads the rows back from KairosDB and compares them. Ctrl-C stops"
                    + " everything."
        },
        mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
    /** Duration of a load without an end. */
    private static final Duration FOREVER = Duration.ofDays(365);

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--for",
            converter = DurationConverter.class,
            description = "Duration of the load, e.g. 60s. Default: until Ctrl-C.")
    private Duration duration;

    @Option(names = "--json", description = "Print one JSON object as the last line of standard output.")
    private boolean json;

    @Option(
            names = "--series",
            defaultValue = "2000",
            description = "Number of generated series. Default: ${DEFAULT-VALUE}.")
    private int series;

    @Option(
            names = "--rate",
            defaultValue = "5000",
            description = "Generated points per second. Default: ${DEFAULT-VALUE}.")
    private long rate;

    @Option(
            names = "--cycle",
            defaultValue = "5s",
            converter = DurationConverter.class,
            description = "Cycle time. Default: ${DEFAULT-VALUE}.")
    private Duration cycle;

    @Option(names = "--dir", paramLabel = "DIR", description = "Folder for all files. Default: a temporary folder.")
    private Path folder;

    @Option(
            names = "--plugin",
            paramLabel = "DIR",
            description = "Include a plugin: a folder with its JARs, or its project after 'mvn verify'.")
    private Path plugin;

    @Option(
            names = "--with",
            paramLabel = "KEY=VALUE",
            description = "Key of the plugin's settings, e.g. --with window=1m. Repeatable.")
    private Map<String, String> pluginKeys = new LinkedHashMap<>();

    @Option(names = "--keep", description = "Keep the folder at the end.")
    private boolean keep;

    @Option(
            names = "--at",
            hidden = true,
            converter = DemoEvent.Converter.class,
            description = "10s=kill:p2, for tests.")
    private List<DemoEvent> events = new ArrayList<>();

    /** Creates the command for picocli. */
    public DemoCommand() {}

    @Override
    public Integer call() throws InterruptedException, IOException {
        PrintWriter out =
                json ? spec.commandLine().getErr() : spec.commandLine().getOut();
        LoadPlan plan = plan();
        Path work = work();
        Optional<DemoPlugin> shown =
                Optional.ofNullable(plugin).map(from -> DemoPlugin.install(from, work, pluginKeys));
        DemoCluster cluster =
                new DemoCluster(ChimeraHome.find(), work, Durations.format(cycle), DemoCluster.QUEUES, shown);
        check(cluster);
        Thread hook = new Thread(() -> end(cluster, work, !keep), "demo-end");
        Runtime.getRuntime().addShutdownHook(hook);
        DemoFigures figures;
        List<String> warnings = List.of();
        boolean good = false;
        try {
            out.println("Starting coordinator, KairosDB, 2 queue nodes and 3 processors…");
            out.flush();
            cluster.start();
            out.println("Ready:");
            cluster.addresses().forEach(line -> out.println("  " + line));
            shown.ifPresent(with -> out.println("With " + with.title() + "."));
            figures = new DemoRun(cluster, plan, events, shown, out).run();
            good = figures.isGood();
            warnings = good ? List.of() : cluster.warnings();
        } catch (ChimeraException e) {
            throw withWarnings(e, cluster.warnings());
        } finally {
            remove(hook);
            end(cluster, work, good && !keep); // keeps the logs after a failure
        }
        report(figures, out);
        warnings.forEach(out::println);
        out.flush();
        return good ? 0 : 1;
    }

    /**
     * Appends the warnings of all processes to the error, because a request timeout has its cause in another process.
     */
    private static ChimeraException withWarnings(ChimeraException failure, List<String> warnings) {
        return warnings.isEmpty()
                ? failure
                : new ChimeraException(
                        failure.category(),
                        failure.getMessage() + "\nNewest warning of each process:\n  " + String.join("\n  ", warnings),
                        failure);
    }

    private LoadPlan plan() {
        try {
            return new LoadPlan(series, rate, duration == null ? FOREVER : duration, 1);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage());
        }
    }

    private void check(DemoCluster cluster) {
        for (DemoEvent event : events) {
            if (!cluster.has(event.node())) {
                throw new CommandLine.ParameterException(spec.commandLine(), "There is no node " + event.node() + ".");
            }
        }
    }

    private Path work() {
        try {
            if (folder == null) {
                return Files.createTempDirectory("chimera-demo-");
            }
            boolean used = Files.isDirectory(folder) && !isEmpty(folder);
            if (used) {
                throw new ChimeraException(Category.FATAL, folder + " is not empty; name another folder with --dir.");
            }
            return Files.createDirectories(folder).toAbsolutePath();
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.FATAL,
                    "The demo folder cannot be created (" + e + "); name a writable folder with --dir.",
                    e);
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.findAny().isEmpty();
        }
    }

    /** Stops all processes. Idempotent. */
    private static void end(DemoCluster cluster, Path work, boolean removeFolder) {
        cluster.close();
        if (removeFolder) {
            delete(work);
        }
    }

    private static void delete(Path work) {
        try (Stream<Path> all = Files.walk(work)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            System.err.println("The folder " + work + " cannot be removed: " + e.getMessage() + ".");
        }
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the JVM is already shutting down, and the hook cleans up
        }
    }

    private void report(DemoFigures figures, PrintWriter out) {
        Map<String, Object> all = figures.toMap();
        all.forEach((name, value) -> out.printf("%-28s %s%n", name, value));
        out.println(
                figures.isGood()
                        ? "OK: every point is accounted for, and every row was read back."
                        : "FAILED: points or rows are missing; see the logs in the folder named above.");
        out.flush();
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("name", "demo");
            object.put("figures", all);
            object.put("ratios", Map.of());
            object.put("goals", Map.of());
            object.put("machine", MachineFacts.collect());
            spec.commandLine().getOut().println(Json.line(object));
            spec.commandLine().getOut().flush();
        }
    }
}
