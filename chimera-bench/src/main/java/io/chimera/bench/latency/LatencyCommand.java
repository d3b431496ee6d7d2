package io.chimera.bench.latency;

import io.chimera.apps.node.ChimeraHome;
import io.chimera.bench.report.MachineWatch;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.ReportOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
    @Mixin
    private ReportOptions options;

    private LatencyCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        ChimeraHome home = ChimeraHome.find();
        MachineWatch watch = new MachineWatch(home.folder());
        LatencyResults results = new LatencyResults();
        LatencyRun run = new LatencyRun(home, options.isQuick() ? Effort.QUICK : Effort.FULL, results, options::log);
        for (Sync sync : Sync.values()) {
            run.measure(sync);
        }
        Report report = new LatencyReport(results).report(watch.finish(options.invocation()));
        options.print(report, () -> new LatencyTable(report).text());
        return 0;
    }
}
