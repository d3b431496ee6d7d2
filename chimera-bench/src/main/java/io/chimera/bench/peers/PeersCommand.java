package io.chimera.bench.peers;

import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.load.PointSeries;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
import io.chimera.bench.peers.engine.Engine;
import io.chimera.bench.peers.engine.Workplace;
import io.chimera.bench.report.MachineWatch;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.ReportOptions;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code chimera bench peers}. */
@Command(
        name = "peers",
        description = {
            "Measure the same job on Chimera and on other engines.",
            "Runs each engine as whole processes: points per second of CPU time, and the ratio to each engine."
                    + " Downloads engines from Maven Central on first use. Figures are valid only if the results of"
                    + " an engine match independently computed results. The last line of standard output is the"
                    + " report as one JSON object; everything else goes to standard error."
        })
public final class PeersCommand implements Callable<Integer> {
    /** Time limit of a pass, longer than the engines' own wait for rows, whose errors are more specific. */
    private static final Duration PASS_LIMIT = Duration.ofMinutes(15);

    @Spec
    private CommandSpec spec;

    @Mixin
    private ReportOptions options;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "ENGINE",
            description = "Run only these engines, and chimera for comparison. Engines: ${COMPLETION-CANDIDATES}",
            completionCandidates = EngineNames.class)
    private List<String> only = List.of();

    @Option(
            names = "--shape",
            description = "Shape of the points: ten_fields (346 bytes, default) or four_fields (500 bytes).")
    private PointShape shape = PointShape.TEN_FIELDS;

    private PeersCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        for (String name : only) {
            if (!EngineCatalog.names().contains(name)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "No engine '" + name + "'; there are " + String.join(", ", EngineCatalog.names()) + ".");
            }
        }
        ChimeraHome home = ChimeraHome.find();
        MachineWatch watch = new MachineWatch(home.folder());
        List<EngineMeasurement> measurements = measure(home, options.isQuick() ? PeersEffort.QUICK : PeersEffort.FULL);
        Report report = new PeersReport(measurements).report(watch.finish(command()));
        options.print(report, () -> new EnginesTable(PeersReport.FIGURES, report).text());
        return 0;
    }

    private List<EngineMeasurement> measure(ChimeraHome home, PeersEffort asked)
            throws IOException, InterruptedException {
        Map<PeersEffort, List<String>> names = EngineCatalog.chosen(only).stream()
                .collect(Collectors.groupingBy(
                        name -> EngineCatalog.effort(name, asked), LinkedHashMap::new, Collectors.toList()));
        List<EngineMeasurement> measurements = new ArrayList<>();
        for (Map.Entry<PeersEffort, List<String>> together : names.entrySet()) {
            measurements.addAll(measure(home, together.getKey(), together.getValue()));
        }
        return measurements;
    }

    private List<EngineMeasurement> measure(ChimeraHome home, PeersEffort effort, List<String> names)
            throws IOException, InterruptedException {
        Path folder = home.folder().resolve("chimera-bench/target/peers");
        PointSeries series = new PointSeries(shape, PointText.SERIES, PointText.SEED);
        Expected expected = new Expected(series, effort.points(), effort.all());
        EngineRun run = new EngineRun(effort, PASS_LIMIT, expected, options::log);
        List<EngineMeasurement> measurements = new ArrayList<>();
        try (InputFile input = InputFile.write(shape, effort.points())) {
            Workplace workplace = new Workplace(home, folder, input.path(), shape.lineLength(), effort.points());
            for (String name : names) {
                Workplace own = workplace.of(name);
                Engine engine = EngineCatalog.maker(name).make(own, shape);
                Optional<String> unavailable = engine.unavailable();
                if (unavailable.isPresent()) {
                    System.err.println(name + " was skipped: " + unavailable.get() + ".");
                    continue;
                }
                measurements.add(run.measure(name, engine, own.folder()));
                BenchFolder.delete(own.folder()); // logs of a failed engine stay
            }
        }
        return measurements;
    }

    private String command() {
        return options.invocation()
                + (only.isEmpty() ? "" : " --only " + String.join(",", only))
                + (shape == PointShape.TEN_FIELDS ? "" : " --shape four_fields");
    }
}
