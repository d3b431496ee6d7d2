package io.chimera.bench.tls;

import io.chimera.bench.report.MachineWatch;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.ReportOptions;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code chimera bench tls}. */
@Command(
        name = "tls",
        description = {
            "Measure clusters with and without TLS between nodes and on inputs.",
            "Measures points per second of CPU time. The last line of standard output is the report as one JSON object;"
                    + " everything else goes to standard error."
        })
public final class TlsBenchCommand implements Callable<Integer> {
    private static final int BODIES = 500;
    private static final int ROUNDS = 9;
    private static final int QUICK_BODIES = 100;
    private static final int QUICK_ROUNDS = 3;

    @Mixin
    private ReportOptions options;

    private TlsBenchCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        ChimeraHome home = ChimeraHome.find();
        MachineWatch watch = new MachineWatch(home.folder());
        TlsRun run = options.isQuick()
                ? new TlsRun(home, QUICK_BODIES, QUICK_ROUNDS, options::log)
                : new TlsRun(home, BODIES, ROUNDS, options::log);
        Map<Protection, List<Double>> rates = run.rates();
        Report report = TlsReport.of(rates, watch.finish(options.invocation()));
        options.print(report, () -> TlsReport.table(report));
        return 0;
    }
}
