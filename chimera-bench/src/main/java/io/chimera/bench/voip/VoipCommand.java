package io.chimera.bench.voip;

import io.chimera.apps.node.ChimeraHome;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.peers.Effort;
import io.chimera.bench.peers.EngineRun;
import io.chimera.bench.peers.Expected;
import io.chimera.bench.peers.Measurement;
import io.chimera.bench.peers.engine.CallEngine;
import io.chimera.bench.peers.engine.Engine;
import io.chimera.bench.peers.engine.JvmEngine;
import io.chimera.bench.peers.engine.Workplace;
import io.chimera.bench.report.MachineWatch;
import io.chimera.bench.report.Report;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code chimera bench voip}. */
@Command(
        name = "voip",
        description = {
            "Runs VoIPSTREAM over the same calls on Chimera and on Storm with the same filters, with 1, 2 and 4 detectors, as"
                    + " whole processes: calls per second of processor time, memory, and how many times that of Storm Chimera"
                    + " does.",
            "Storm is fetched from Maven Central when it is first asked for. Figures count only where all alerts are equal to"
                    + " those of one loop over the calls. The last line of standard output is the report as one JSON object;"
                    + " all else goes to standard error."
        })
public final class VoipCommand implements Callable<Integer> {
    /** Calls of a pass: tens of thousands of them are those of telemarketers over all passes. */
    private static final int CALLS = 1_000_000;

    private static final int CALLS_QUICK = 300_000;

    /** Longer than engines wait for rows themselves, whose errors say more. */
    private static final Duration PASS_LIMIT = Duration.ofMinutes(15);

    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", description = "Fewer calls and one pass: some minutes, and less exact.")
    private boolean quick;

    @Option(names = "--json", description = "Prints nothing but the JSON object.")
    private boolean json;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "ENGINE",
            description =
                    "Runs these engines only: chimera, chimera_1, chimera_4, storm, storm_1, storm_4. Without a number"
                            + " there are 2 detectors.")
    private List<String> only = List.of();

    private VoipCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Map<String, Function<Workplace, Engine>> engines = chosen();
        ChimeraHome home = ChimeraHome.find();
        MachineWatch watch = new MachineWatch(home.folder());
        int calls = quick ? CALLS_QUICK : CALLS;
        Effort effort = new Effort(calls, quick ? 3 : 4, quick ? 1 : 3);
        VoipResults results;
        try (CallFile file = CallFile.write(calls * effort.all(), System.currentTimeMillis())) {
            results = new VoipResults(Reckoning.of(file.path(), calls), effort);
            Workplace workplace =
                    new Workplace(home, home.folder().resolve("chimera-bench/target/voip"), file.path(), 1, calls);
            EngineRun run = new EngineRun(
                    effort, PASS_LIMIT, new Expected(results.reckoning().alerts()), this::log);
            for (Map.Entry<String, Function<Workplace, Engine>> chosen : engines.entrySet()) {
                Workplace own = workplace.of(chosen.getKey());
                Engine engine = chosen.getValue().apply(own);
                Measurement seen = run.measure(chosen.getKey(), engine, own.folder());
                results.add(seen, engine instanceof CallEngine detecting ? detecting.detectorCpuSeconds() : List.of());
                BenchFolder.delete(own.folder()); // of one that fails the logs stay
            }
        }
        Report report = new VoipReport(results).report(watch.finish(command()));
        if (!json) {
            System.err.print("\n" + new VoipTable(report).text());
        }
        spec.commandLine().getOut().println(report.json());
        spec.commandLine().getOut().flush();
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
        for (String name : only) {
            if (!engines.containsKey(name)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "No engine '" + name + "'; there are " + String.join(", ", engines.keySet()) + ".");
            }
        }
        engines.keySet().removeIf(name -> !only.isEmpty() && !only.contains(name));
        return engines;
    }

    private void log(String line) {
        if (!json) {
            System.err.println(line);
        }
    }

    private String command() {
        return "./chimera bench voip" + (quick ? " --quick" : "")
                + (only.isEmpty() ? "" : " --only " + String.join(",", only));
    }
}
