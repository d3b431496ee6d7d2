package io.chimera.bench.latency;

import io.chimera.apps.node.ChimeraHome;
import io.chimera.bench.report.MachineWatch;
import io.chimera.bench.report.Report;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code chimera bench latency}. */
@Command(
        name = "latency",
        description = {
            "Starts clusters of whole processes and sends requests at fixed times, at 10, 50 and 90 %% of the rate that they"
                    + " take at most: how long from when a request was due to its answer, and from the close of a cycle"
                    + " until its rows are stored.",
            "The last line of standard output is the report as one JSON object; all else goes to standard error."
        })
public final class LatencyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", description = "A few seconds for each load: under a minute, and less exact.")
    private boolean quick;

    @Option(names = "--json", description = "Prints nothing but the JSON object.")
    private boolean json;

    private LatencyCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        ChimeraHome home = ChimeraHome.find();
        MachineWatch watch = new MachineWatch(home.folder());
        LatencyResults results = new LatencyResults();
        LatencyRun run = new LatencyRun(home, quick ? Effort.QUICK : Effort.FULL, results, this::log);
        for (Sync sync : Sync.values()) {
            run.measure(sync);
        }
        Report report =
                new LatencyReport(results).report(watch.finish("./chimera bench latency" + (quick ? " --quick" : "")));
        if (!json) {
            System.err.print("\n" + new LatencyTable(report).text());
        }
        spec.commandLine().getOut().println(report.json());
        spec.commandLine().getOut().flush();
        return 0;
    }

    private void log(String line) {
        if (!json) {
            System.err.println(line);
        }
    }
}
