package io.chimera.bench.datasets;

import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.datasets.event.PassCost;
import io.chimera.bench.datasets.process.FarServer;
import io.chimera.bench.datasets.process.JobCommands;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code chimera bench datasets}. */
@Command(
        name = "datasets",
        description = {
            "Measure jobs over data sets on a far server.",
            "Runs jobs as processes against nginx behind a path with round trip and rate: strategies, predictions, a"
                    + " killed job or worker, the ratio to plain tools and DuckDB, and the figures of the paper of"
                    + " 2016. Skips and names figures with a missing tool. The"
                    + " last line of standard output is the report as one JSON object; everything else"
                    + " goes to standard error."
        })
public final class DatasetsCommand implements Callable<Integer> {
    @Mixin
    private ReportOptions options;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "PART",
            description = "Measure only these parts: ${COMPLETION-CANDIDATES}.")
    private Set<DatasetsPart> only = EnumSet.allOf(DatasetsPart.class);

    private DatasetsCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        ChimeraHome home = ChimeraHome.find();
        MachineWatch watch = new MachineWatch(home.folder());
        Path folder = BenchFolder.emptied(home.folder().resolve("chimera-bench/target/datasets"));
        DatasetsResults results = new DatasetsResults();
        try (DataFolder data = DataFolder.create();
                FarServer server = FarServer.nginx(data.root(), folder.resolve("nginx"))) {
            BenchSite bench = new BenchSite(home, folder, options.isQuick(), options::log);
            DatasetsSite site = new DatasetsSite(
                    bench,
                    options.isQuick() ? DatasetsEffort.QUICK : DatasetsEffort.FULL,
                    data,
                    server,
                    new JobCommands(bench),
                    results);
            measure(site);
        }
        if (!results.hasFailed()) {
            BenchFolder.delete(folder); // logs of a failure stay
        }
        Report report = new DatasetsReport(results).report(watch.finish(command()));
        options.print(report, () -> new DatasetsTable(report).text());
        return 0;
    }

    private void measure(DatasetsSite site) throws InterruptedException {
        double passSeconds = DatasetsPart.COMPUTING.stream().anyMatch(only::contains) ? PassCost.seconds() : 0;
        for (DatasetsPart part : DatasetsPart.values()) {
            if (only.contains(part)) {
                measure(part, site, passSeconds);
            }
        }
    }

    private static void measure(DatasetsPart part, DatasetsSite site, double passSeconds) throws InterruptedException {
        switch (part) {
            case ROUND_TRIP -> RoundTripPart.measure(site);
            case FORMATS -> FormatsPart.measure(site);
            case COPY -> CopyPart.measure(site);
            case PIPELINE -> PipelinePart.measure(site);
            case SETTINGS -> SettingsPart.measure(site, passSeconds);
            case KILL -> KillPart.measure(site, passSeconds);
            case WORKER_KILL -> WorkerKillPart.measure(site, passSeconds);
            case SOURCES -> SourcesPart.measure(site);
            case COLUMNAR -> ColumnarPart.measure(site);
            case WORKERS -> WorkersPart.measureProcesses(site);
            case THREADS -> WorkersPart.measureThreads(site);
            case RATES -> RatesPart.measure(site);
            case LOAD -> LoadPart.measure(site);
            case SHAPES -> ShapesPart.measure(site, passSeconds);
        }
    }

    private String command() {
        return options.invocation()
                + (only.size() == DatasetsPart.values().length
                        ? ""
                        : " --only "
                                + only.stream()
                                        .map(part -> part.name().toLowerCase(Locale.ROOT))
                                        .collect(Collectors.joining(",")));
    }
}
