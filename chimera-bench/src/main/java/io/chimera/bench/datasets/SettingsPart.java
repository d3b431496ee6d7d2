package io.chimera.bench.datasets;

import io.chimera.bench.datasets.process.JobCommands.Order;
import io.chimera.bench.datasets.process.JobText;
import io.chimera.bench.datasets.process.JobText.EventKind;
import io.chimera.bench.datasets.process.JobTime;
import io.chimera.dataset.plan.StrategyWish;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Times of all strategies and predictions of {@code dataset plan} in settings of path and computation. All runs of a
 * setting must have equal rows.
 */
final class SettingsPart {
    /** Begin of the ratios of predicted to seen time. */
    static final String MODEL = "cost_model_";

    /** Begin of the ratios of auto to the better of stream and copy. */
    static final String AUTO_TO_BEST = "auto_to_best_";

    private static final int OBJECTS = 4;
    private static final int SPLITS = 16;
    private static final List<StrategyWish> STRATEGIES = List.of(StrategyWish.values());

    private final DatasetsSite site;
    private final double passSeconds;

    private SettingsPart(DatasetsSite site, double passSeconds) {
        this.site = site;
        this.passSeconds = passSeconds;
    }

    static void measure(DatasetsSite site, double passSeconds) throws InterruptedException {
        SettingsPart part = new SettingsPart(site, passSeconds);
        for (NetworkSetting path : site.effort().settings()) {
            try {
                part.path(path);
            } catch (IOException e) {
                site.results().fail(path.label(), e);
            }
        }
    }

    private void path(NetworkSetting path) throws IOException, InterruptedException {
        double seconds = site.effort().settingSeconds();
        try (DataFolder.DataSet set = site.data().events(path.label(), path.bytes(seconds), OBJECTS)) {
            JobText job = new JobText(EventKind.EVENTS, set.objects(), set.bytes() / SPLITS);
            site.behind(path, url -> {
                for (ComputeLoad load : site.effort().loads()) {
                    int passes = ComputePasses.of(load, seconds, set.events(), passSeconds);
                    int rounds = load.rounds(site.effort().settingRounds());
                    cell(path.label() + "_" + load.label(), new Order(job, url, passes), rounds);
                }
            });
        }
    }

    private void cell(String cell, Order order, int rounds) throws IOException, InterruptedException {
        Map<StrategyWish, List<JobTime>> times = new EnumMap<>(StrategyWish.class);
        STRATEGIES.forEach(strategy -> times.put(strategy, new ArrayList<>()));
        String rows = "";
        for (int round = 0; round < rounds; round++) {
            for (int turn = 0; turn < STRATEGIES.size(); turn++) {
                StrategyWish strategy = STRATEGIES.get(round % 2 == 0 ? turn : STRATEGIES.size() - 1 - turn);
                times.get(strategy).add(site.run(cell, order, strategy));
                String seen = site.commands().rows();
                if (!rows.isEmpty() && !rows.equals(seen)) {
                    throw new IllegalStateException(cell + ": strategy " + strategy.label() + " gives other rows");
                }
                rows = seen;
            }
        }
        times.forEach((strategy, each) -> site.results().figure(cell + "_" + strategy.label() + "_s", processes(each)));
        addAuto(cell, times);
        try {
            addPredictions(cell, times, site.commands().plan(order));
        } catch (IOException e) {
            site.results().fail(MODEL + cell, e);
        }
    }

    private void addPredictions(String cell, Map<StrategyWish, List<JobTime>> times, Map<String, Double> predicted) {
        times.forEach((strategy, each) -> {
            Double prediction = predicted.get(strategy.label());
            if (prediction != null) {
                String name = cell + "_" + strategy.label();
                List<Double> seen = each.stream().map(JobTime::jobSeconds).toList();
                List<Double> same = Collections.nCopies(seen.size(), prediction);
                site.results().figure(name + "_predicted_s", List.of(prediction));
                site.results().ratio(MODEL + name, same, seen);
            }
        });
    }

    private void addAuto(String cell, Map<StrategyWish, List<JobTime>> times) {
        List<Double> stream = processes(times.get(StrategyWish.STREAM));
        List<Double> copy = processes(times.get(StrategyWish.COPY));
        List<Double> best = IntStream.range(0, stream.size())
                .mapToObj(round -> Math.min(stream.get(round), copy.get(round)))
                .toList();
        site.results().ratio(AUTO_TO_BEST + cell, processes(times.get(StrategyWish.AUTO)), best);
    }

    private static List<Double> processes(List<JobTime> times) {
        return times.stream().map(JobTime::processSeconds).toList();
    }
}
