package io.chimera.bench.trending;

import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.peers.EngineChoice;
import io.chimera.bench.peers.EngineMeasurement;
import io.chimera.bench.peers.EngineRun;
import io.chimera.bench.peers.EnginesTable;
import io.chimera.bench.peers.Expected;
import io.chimera.bench.peers.PeersEffort;
import io.chimera.bench.peers.engine.Engine;
import io.chimera.bench.peers.engine.JvmEngine;
import io.chimera.bench.peers.engine.TweetEngine;
import io.chimera.bench.peers.engine.Workplace;
import io.chimera.bench.report.MachineWatch;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.ReportOptions;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code chimera bench trending}. */
@Command(
        name = "trending",
        description = {
            "Measure hashtag counting with Chimera, with Storm and with a plain loop.",
            "Runs whole processes over the same tweets: tweets per second of CPU time, and the ratio to each"
                    + " competitor. Downloads Storm from Maven Central on first use. Figures are valid only if every"
                    + " count matches the tweets. The last line of standard output is the report as one JSON object;"
                    + " everything else goes to standard error."
        })
public final class TrendingCommand implements Callable<Integer> {
    /** Number of tweets: 275 MB of text, read repeatedly, exceed all caches but not the memory. */
    private static final int TWEETS = 100_000;

    private static final int ROUNDS = 40;
    private static final int ROUNDS_QUICK = 24;

    /** Time limit of a pass, which takes seconds, or about ten seconds on a busy machine. */
    private static final Duration PASS_LIMIT = Duration.ofMinutes(3);

    @Mixin
    private ReportOptions options;

    @Mixin
    private EngineChoice choice;

    private TrendingCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        ChimeraHome home = ChimeraHome.find();
        MachineWatch watch = new MachineWatch(home.folder());
        List<EngineMeasurement> measurements = measure(home);
        Report report = new TrendingReport(measurements).report(watch.finish(options.invocation() + choice.typed()));
        options.print(report, () -> new EnginesTable(TrendingReport.FIGURES, report).text());
        return 0;
    }

    private List<EngineMeasurement> measure(ChimeraHome home) throws IOException, InterruptedException {
        int rounds = options.isQuick() ? ROUNDS_QUICK : ROUNDS;
        PeersEffort effort = new PeersEffort(TWEETS * rounds, options.isQuick() ? 3 : 4, options.isQuick() ? 1 : 3);
        List<EngineMeasurement> measurements = new ArrayList<>();
        try (TweetFile file = TweetFile.write(TWEETS)) {
            Workplace workplace =
                    new Workplace(home, home.folder().resolve("chimera-bench/target/trending"), file.path(), 1, TWEETS);
            Expected expected = new Expected(file.expected(rounds * effort.all()));
            EngineRun run = new EngineRun(effort, PASS_LIMIT, expected, options::log);
            for (Map.Entry<String, Function<Workplace, Engine>> engine :
                    chosen(rounds, file.hashtags() * rounds).entrySet()) {
                Workplace own = workplace.of(engine.getKey());
                measurements.add(run.measure(engine.getKey(), engine.getValue().apply(own), own.folder()));
                BenchFolder.delete(own.folder()); // logs of a failed engine stay
            }
        }
        return measurements;
    }

    private Map<String, Function<Workplace, Engine>> chosen(int rounds, long hashtags) {
        Map<String, Function<Workplace, Engine>> engines = new LinkedHashMap<>();
        engines.put(TrendingReport.CHIMERA, workplace -> new TweetEngine(workplace, rounds, hashtags));
        engines.put("loop", workplace -> JvmEngine.tweetLoop(workplace, rounds));
        engines.put("storm", workplace -> JvmEngine.tweetStorm(workplace, rounds, false));
        engines.put("storm_streaming", workplace -> JvmEngine.tweetStorm(workplace, rounds, true));
        return choice.of(engines);
    }
}
