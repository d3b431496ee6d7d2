package io.chimera.bench.latency;

import io.chimera.bench.report.MachineWatch;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.ReportOptions;
import io.chimera.node.ChimeraHome;
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
            "Measure the latency of requests and cycles under several loads.",
            "Starts clusters of processes and sends requests at fixed times, at 10, 50 and 90 %% of their maximum rate."
                    + " Measures from the due time of a request to its answer, and from the close of a cycle to its"
                    + " stored rows. The last line of standard output is the report as one JSON object; everything"
                    + " else goes to standard error."
        })
public final class LatencyCommand implements Callable<Integer> {
    @Mixin
    private ReportOptions options;

    @Option(names = "--sync", split = ",", description = "Journal sync: none, interval, or both (default).")
    private List<Sync> syncs = List.of(Sync.values());

    @Option(names = "--load", split = ",", description = "Loads in percent of the maximum rate. Default: 10,50,90.")
    private List<Integer> loads = LatencyRun.LOADS;

    @Option(names = "--seconds", description = "Duration of each load. Default: 60, with --quick 4.")
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

    private LatencyEffort effort() {
        LatencyEffort effort = options.isQuick() ? LatencyEffort.QUICK : LatencyEffort.FULL;
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
