package io.chimera.bench.latency;

import io.chimera.apps.node.ChimeraHome;
import io.chimera.bench.report.MachineWatch;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.ReportOptions;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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

    @Option(names = "--sync", split = ",", description = "none, interval, or both, which is the default.")
    private List<Sync> syncs = List.of(Sync.values());

    @Option(names = "--load", split = ",", description = "Loads in percent of the maximum rate; 10,50,90 by default.")
    private List<Integer> loads = LatencyRun.LOADS;

    @Option(names = "--seconds", description = "How long each load lasts; 60 by default, 4 with --quick.")
    private int seconds;

    private LatencyCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        ChimeraHome home = ChimeraHome.find();
        MachineWatch watch = new MachineWatch(home.folder());
        LatencyResults results = new LatencyResults();
        LatencyRun run = new LatencyRun(home, effort(), loads, results, options::log);
        for (Sync sync : syncs) {
            run.measure(sync);
        }
        Report report = new LatencyReport(results).report(watch.finish(invocation()));
        options.print(report, () -> new LatencyTable(report).text());
        return 0;
    }

    private Effort effort() {
        Effort effort = options.isQuick() ? Effort.QUICK : Effort.FULL;
        return seconds > 0 ? effort.with(seconds) : effort;
    }

    private String invocation() {
        StringBuilder text = new StringBuilder(options.invocation());
        if (syncs.size() < Sync.values().length) {
            text.append(" --sync ").append(syncs.get(0).setting());
        }
        if (!loads.equals(LatencyRun.LOADS)) {
            text.append(" --load ").append(loads.stream().map(String::valueOf).collect(Collectors.joining(",")));
        }
        return text.append(seconds > 0 ? " --seconds " + seconds : "").toString();
    }
}
