package io.chimera.bench.stages;

import io.chimera.bench.report.MachineWatch;
import io.chimera.bench.report.MarkdownTable;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.ReportOptions;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code chimera bench stages}. */
@Command(
        name = "stages",
        description = {
            "Measure every stage of the pipeline separately.",
            "Measures points/s, ns and allocated bytes per point, and the ratio to the cost of a plain copy or system"
                    + " call for the same bytes. The last line of standard output is the report as one JSON object;"
                    + " everything else goes to standard error."
        })
public final class StagesCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ReportOptions options;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "STAGE",
            description = "Measure only these stages and their limits. Stages: ${COMPLETION-CANDIDATES}",
            completionCandidates = StageNames.class)
    private List<String> only = List.of();

    private StagesCommand() {}

    @Override
    public Integer call() throws RunnerException {
        List<BenchStage> stages = chosen();
        MachineWatch watch =
                new MachineWatch(Path.of(System.getProperty("chimera.home", "")).toAbsolutePath());
        List<StageMeasurement> measurements = new StageRun(
                        options.isQuick() ? StagesEffort.QUICK : StagesEffort.FULL, options.isJson())
                .measure(stages);
        Report report = new StageReport(stages, measurements).report(watch.finish(command()));
        options.print(report, () -> new MarkdownTable(report).text());
        return 0;
    }

    private List<BenchStage> chosen() {
        if (only.isEmpty()) {
            return StageCatalog.STAGES;
        }
        Set<BenchStage> chosen = new HashSet<>();
        for (String name : only) {
            BenchStage stage = StageCatalog.named(name)
                    .orElseThrow(() -> new ParameterException(
                            spec.commandLine(),
                            "No stage '" + name + "'; there are " + String.join(", ", StageCatalog.names()) + "."));
            chosen.add(stage);
            if (stage.limit() != null) {
                chosen.add(StageCatalog.named(stage.limit()).orElseThrow());
            }
        }
        return StageCatalog.STAGES.stream().filter(chosen::contains).toList();
    }

    private String command() {
        return options.invocation() + (only.isEmpty() ? "" : " --only " + String.join(",", only));
    }
}
