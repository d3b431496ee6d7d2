package io.chimera.bench.scale;

import io.chimera.bench.report.MachineWatch;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.ReportOptions;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code chimera bench scale}. */
@Command(
        name = "scale",
        description = {
            "Measure clusters of growing size, cardinality and number of tags.",
            "Runs clusters of processes with more and more processors, queue nodes, series and tags: points per"
                    + " second of CPU time and of wall-clock time, and the cost of a point. The last line of standard"
                    + " output is the report as one JSON object; everything else goes to standard error."
        })
public final class ScaleCommand implements Callable<Integer> {
    @Mixin
    private ReportOptions options;

    private ScaleCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        ChimeraHome home = ChimeraHome.find();
        MachineWatch watch = new MachineWatch(home.folder());
        ScaleResults results = new ScaleResults();
        ScaleRun run =
                new ScaleRun(home, options.isQuick() ? ScaleEffort.QUICK : ScaleEffort.FULL, results, options::log);
        run.nodes();
        run.series();
        Report report = new ScaleReport(results).report(watch.finish(options.invocation()));
        options.print(report, () -> new ScaleTable(report).text());
        return 0;
    }
}
