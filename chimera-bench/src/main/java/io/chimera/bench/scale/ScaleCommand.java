package io.chimera.bench.scale;

import io.chimera.apps.node.ChimeraHome;
import io.chimera.bench.report.MachineWatch;
import io.chimera.bench.report.Report;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code chimera bench scale}. */
@Command(
        name = "scale",
        description = {
            "Runs clusters of whole processes with more and more processors and queue nodes, series and tags: points per"
                    + " second of processor time and per second, and what a point costs.",
            "The last line of standard output is the report as one JSON object; all else goes to standard error."
        })
public final class ScaleCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", description = "Fewer steps and points: under a minute, and less exact.")
    private boolean quick;

    @Option(names = "--json", description = "Prints nothing but the JSON object.")
    private boolean json;

    private ScaleCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        ChimeraHome home = ChimeraHome.find();
        MachineWatch watch = new MachineWatch(home.folder());
        ScaleResults results = new ScaleResults();
        ScaleRun run = new ScaleRun(home, quick ? Effort.QUICK : Effort.FULL, results, this::log);
        run.nodes();
        run.series();
        Report report =
                new ScaleReport(results).report(watch.finish("./chimera bench scale" + (quick ? " --quick" : "")));
        if (!json) {
            System.err.print("\n" + new ScaleTable(report).text());
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
