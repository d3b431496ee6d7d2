package io.chimera.bench.paper;

import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.report.MachineWatch;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.ReportOptions;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code chimera bench paper}. */
@Command(
        name = "paper",
        description = {
            "Repeat the measurements of the Chimera paper of 2017: Table II and Figures 5 to 8.",
            "Compares points/s per core with the figures of the paper. The limited network and disk require root; without"
                    + " root their rows are skipped. The last line of standard output is the report as one JSON"
                    + " object; everything else goes to standard error."
        })
public final class PaperCommand implements Callable<Integer> {
    @Mixin
    private ReportOptions options;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "NAME",
            description = "Measure only these parts: ${COMPLETION-CANDIDATES}.")
    private Set<PaperPart> only = EnumSet.allOf(PaperPart.class);

    private PaperCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException, RunnerException {
        ChimeraHome home = ChimeraHome.find();
        MachineWatch watch = new MachineWatch(home.folder());
        Path folder = BenchFolder.emptied(home.folder().resolve("chimera-bench/target/paper"));
        PaperResults results = new PaperResults();
        new PaperRun(
                        new BenchSite(home, folder, options.isQuick(), options::log),
                        options.isQuick() ? PaperEffort.QUICK : PaperEffort.FULL,
                        results)
                .measure(only);
        if (results.isComplete()) {
            BenchFolder.delete(folder); // logs of skipped measurements stay
        }
        Report report = new PaperReport(results).report(watch.finish(command()));
        options.print(report, () -> new PaperTable(report).text());
        return 0;
    }

    private String command() {
        return options.invocation()
                + (only.size() == PaperPart.values().length
                        ? ""
                        : " --only "
                                + only.stream()
                                        .map(part -> part.name().toLowerCase(Locale.ROOT))
                                        .collect(Collectors.joining(",")));
    }
}
