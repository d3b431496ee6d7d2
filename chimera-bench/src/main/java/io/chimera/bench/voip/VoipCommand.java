package io.chimera.bench.voip;

import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.peers.EngineChoice;
import io.chimera.bench.peers.EngineMeasurement;
import io.chimera.bench.peers.EngineRun;
import io.chimera.bench.peers.EnginesTable;
import io.chimera.bench.peers.Expected;
import io.chimera.bench.peers.PeersEffort;
import io.chimera.bench.peers.engine.CallEngine;
import io.chimera.bench.peers.engine.Engine;
import io.chimera.bench.peers.engine.JvmEngine;
import io.chimera.bench.peers.engine.Workplace;
import io.chimera.bench.report.MachineWatch;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.ReportOptions;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code chimera bench voip}. */
@Command(
        name = "voip",
        description = {
            "Measure VoIPSTREAM on Chimera and on Storm with the same filters.",
            "Runs whole processes over the same calls with 1, 2 and 4 detectors: calls per second of CPU time,"
                    + " memory, and the ratio to Storm. Downloads Storm from Maven Central on first use. Figures are"
                    + " valid only if all alerts match the alerts of one loop over the calls. The last line of"
                    + " standard output is the report as one JSON object; everything else goes to standard error."
        })
public final class VoipCommand implements Callable<Integer> {
    /** Calls per pass: tens of thousands of calls over all passes are from telemarketers. */
    private static final int CALLS = 1_000_000;

    private static final int CALLS_QUICK = 300_000;

    /** Time limit of a pass, longer than the engines' own wait for rows, whose errors are more specific. */
    private static final Duration PASS_LIMIT = Duration.ofMinutes(15);

    @Mixin
    private ReportOptions options;

    @Mixin
    private EngineChoice choice;

    private VoipCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Map<String, Function<Workplace, Engine>> engines = chosen();
        ChimeraHome home = ChimeraHome.find();
        MachineWatch watch = new MachineWatch(home.folder());
        int calls = options.isQuick() ? CALLS_QUICK : CALLS;
        PeersEffort effort = new PeersEffort(calls, options.isQuick() ? 3 : 4, options.isQuick() ? 1 : 3);
        VoipResults results;
        try (CallFile file = CallFile.write(calls * effort.all(), System.currentTimeMillis())) {
            results = new VoipResults(Reckoning.of(file.path(), calls), effort);
            Workplace workplace =
                    new Workplace(home, home.folder().resolve("chimera-bench/target/voip"), file.path(), 1, calls);
            EngineRun run = new EngineRun(
                    effort, PASS_LIMIT, new Expected(results.reckoning().alerts()), options::log);
            for (Map.Entry<String, Function<Workplace, Engine>> chosen : engines.entrySet()) {
                Workplace own = workplace.of(chosen.getKey());
                Engine engine = chosen.getValue().apply(own);
                EngineMeasurement seen = run.measure(chosen.getKey(), engine, own.folder());
                results.add(seen, engine instanceof CallEngine detecting ? detecting.detectorCpuSeconds() : List.of());
                BenchFolder.delete(own.folder()); // logs of a failed engine stay
            }
        }
        Report report = new VoipReport(results).report(watch.finish(options.invocation() + choice.typed()));
        options.print(report, () -> new EnginesTable(VoipReport.FIGURES, report).text());
        return 0;
    }

    private Map<String, Function<Workplace, Engine>> chosen() {
        Map<String, Function<Workplace, Engine>> engines = new LinkedHashMap<>();
        engines.put(VoipReport.CHIMERA, workplace -> new CallEngine(workplace, 2));
        engines.put(VoipReport.CHIMERA + "_1", workplace -> new CallEngine(workplace, 1));
        engines.put(VoipReport.CHIMERA + "_4", workplace -> new CallEngine(workplace, 4));
        engines.put(VoipReport.STORM, workplace -> JvmEngine.callStorm(workplace, 2));
        engines.put(VoipReport.STORM + "_1", workplace -> JvmEngine.callStorm(workplace, 1));
        engines.put(VoipReport.STORM + "_4", workplace -> JvmEngine.callStorm(workplace, 4));
        return choice.of(engines);
    }
}
