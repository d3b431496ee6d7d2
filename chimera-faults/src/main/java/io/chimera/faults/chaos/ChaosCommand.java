package io.chimera.faults.chaos;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.faults.chaos.cluster.NodeConfiguration;
import io.chimera.faults.chaos.cluster.RowStore;
import io.chimera.faults.chaos.fault.FaultKind;
import io.chimera.faults.chaos.machine.Prerequisites;
import io.chimera.faults.chaos.machine.Sandbox;
import io.chimera.faults.chaos.machine.WorkFolder;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Json;
import io.chimera.node.launch.ParentWatch;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs real processes under faults. */
@Command(
        name = "chaos",
        description = {
            "Run a cluster of real processes under faults and check its guarantees.",
            "Runs in network namespaces. Injects kills, pauses, network partitions, full disks and clock steps while"
                    + " clients write, then compares the stored rows with the acknowledged points. TLS, tokens and a"
                    + " ZooKeeper secret are on; an intruder attacks every port. Needs root. Leaves nothing behind,"
                    + " however the run ends. Exit code 1: a guarantee was violated."
        })
public final class ChaosCommand implements Callable<Integer> {
    private static final String REPORT = "report.json";

    /** Exit codes of a process ended by Ctrl-C or SIGTERM. */
    private static final Set<Integer> STOPPED = Set.of(130, 143);

    @Spec
    private CommandSpec spec;

    @Option(names = "--minutes", defaultValue = "5", description = "Duration of the faults. Default: ${DEFAULT-VALUE}.")
    private double minutes;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of faults and load. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--json", description = "Print a JSON object as the last line of standard output.")
    private boolean json;

    @Option(names = "--exactly-once", description = "Use exactly-once delivery.")
    private boolean exactlyOnce;

    @Option(
            names = "--store",
            defaultValue = "KAIROSDB",
            description = {
                "Store of the rows: ${COMPLETION-CANDIDATES}. KairosDB on H2 (default), KairosDB on Cassandra, or",
                "archives of the processors; with archives, cycles are also replayed from archived journals at the end."
            })
    private RowStore store;

    @Option(
            names = "--embedded",
            description = "Embed the only ZooKeeper server in the first coordinator. Default: three separate servers.")
    private boolean isEmbedded;

    @Option(
            names = "--groups",
            paramLabel = "G",
            defaultValue = "1",
            description = {
                "Journal groups, at most " + NodeConfiguration.GROUPS_MAX + ". Default: ${DEFAULT-VALUE}, with three",
                "queue nodes; more groups have two queue nodes each."
            })
    private int groups;

    @Option(
            names = "--lanes",
            paramLabel = "L",
            defaultValue = "1",
            description = "Lanes of each queue node and processor, at most " + NodeConfiguration.LANES_MAX
                    + ". Default: ${DEFAULT-VALUE}.")
    private int lanes;

    @Option(
            names = "--faults",
            split = ",",
            paramLabel = "KIND",
            description = "Kinds of faults: ${COMPLETION-CANDIDATES}. Default: all.")
    private List<FaultKind> kinds = List.of(FaultKind.values());

    @Option(names = "--keep", description = "Keep logs, journals and database; always kept after a failed run.")
    private boolean keep;

    @Option(names = "--inside", hidden = true, description = "Run inside the sandbox.")
    private Path inside;

    private volatile boolean stopped;

    /** Called by picocli. */
    public ChaosCommand() {}

    @Override
    public Integer call() throws InterruptedException, IOException {
        check("--groups", groups, NodeConfiguration.GROUPS_MAX);
        check("--lanes", lanes, NodeConfiguration.LANES_MAX);
        return inside == null ? outside() : inside(inside);
    }

    private void check(String option, int value, int max) {
        if (value < 1 || value > max) {
            throw new ParameterException(spec.commandLine(), option + " is 1 to " + max + ", not " + value + ".");
        }
    }

    // Outside the sandbox

    private int outside() throws InterruptedException, IOException {
        Prerequisites.missing().ifPresent(missing -> {
            throw new ChimeraException(Category.FATAL, missing);
        });
        PrintWriter out = out();
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        WorkFolder.sweep(parent).forEach(folder -> out.println("Removed the folder of a killed run: " + folder + "."));
        WorkFolder folder = WorkFolder.create(parent);
        Sandbox sandbox = Sandbox.start(ChimeraHome.find(), folder.path(), insideCommand(folder.path()));
        Thread hook = new Thread(() -> stop(sandbox, folder), "chaos-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            int exit = sandbox.await();
            stopped |= STOPPED.contains(exit);
            if (!stopped && (keep || exit != 0)) {
                folder.keep(); // kept for the inspection of the logs
                out.println("Logs and data are in " + folder.path() + ".");
            }
            return report(sandbox, folder, exit == 0, out);
        } finally {
            removeHook(hook);
            end(sandbox, folder);
        }
    }

    private List<String> insideCommand(Path folder) {
        List<String> command = new ArrayList<>(List.of(
                spec.root().userObject().getClass().getName(),
                "chaos",
                "--inside",
                folder.toString(),
                "--minutes",
                Double.toString(minutes),
                "--seed",
                Long.toString(seed),
                "--store",
                store.name(),
                "--groups",
                Integer.toString(groups),
                "--lanes",
                Integer.toString(lanes),
                "--faults",
                kinds.stream().map(FaultKind::name).collect(Collectors.joining(","))));
        if (json) {
            command.add("--json");
        }
        if (isEmbedded) {
            command.add("--embedded");
        }
        if (exactlyOnce) {
            command.add("--exactly-once");
        }
        return command;
    }

    private int report(Sandbox sandbox, WorkFolder folder, boolean good, PrintWriter out)
            throws IOException, InterruptedException {
        List<String> leftovers = sandbox.leftovers();
        leftovers.forEach(left -> out.println("Left behind: " + left + "."));
        boolean allGood = good && leftovers.isEmpty();
        out.println(
                stopped ? "Stopped." : allGood ? "Good: nothing lost, nothing counted twice." : "NOT GOOD: see above.");
        out.flush();
        Path report = folder.path().resolve(REPORT);
        if (json && Files.exists(report)) {
            spec.commandLine().getOut().println(Files.readString(report));
            spec.commandLine().getOut().flush();
        }
        return allGood ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private void stop(Sandbox sandbox, WorkFolder folder) {
        stopped = true;
        end(sandbox, folder);
    }

    private static void end(Sandbox sandbox, WorkFolder folder) {
        sandbox.close();
        folder.close();
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the process is ending already, and the hook does the work
        }
    }

    // Inside the sandbox

    private int inside(Path folder) throws InterruptedException, IOException {
        ParentWatch.start(System.in, () -> Runtime.getRuntime().halt(CommandLine.ExitCode.SOFTWARE));
        ChaosOptions options = new ChaosOptions(
                minutes,
                seed,
                new NodeConfiguration(exactlyOnce, store, !isEmbedded, groups, lanes),
                List.copyOf(new TreeSet<>(kinds)));
        ChaosReport report = new ChaosRun(options, ChimeraHome.find(), folder, out()).run();
        report.print(out());
        Files.writeString(folder.resolve(REPORT), Json.line(report.toMap()));
        return report.isGood() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    /** Returns the writer of the report: with --json, standard output is reserved for the JSON object. */
    private PrintWriter out() {
        return json ? spec.commandLine().getErr() : spec.commandLine().getOut();
    }
}
