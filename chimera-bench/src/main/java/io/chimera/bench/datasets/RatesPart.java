package io.chimera.bench.datasets;

import io.chimera.bench.datasets.event.EventParserType;
import io.chimera.bench.datasets.process.JobCommands;
import io.chimera.bench.datasets.process.JobCommands.Order;
import io.chimera.bench.datasets.process.JobText;
import io.chimera.bench.datasets.process.JobText.EventKind;
import io.chimera.dataset.plan.StrategyWish;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Rate per worker of copy, divided by that of stream, with a round trip of 84 ms: over a fast path (Figure 2 of the
 * paper of 2016) and over 100 Mbit/s (Figure 3). A worker is a thread with the pace of a small machine; the time of
 * copy includes the transfer.
 */
final class RatesPart {
    private static final String FIGURE = "figure";

    /** Rate at which a worker computes: 16 workers compute twice the rate of the slow path. */
    private static final int PACE_MEGABITS = 12;

    private static final int BITS_PER_BYTE = 8;
    private static final int SPLITS_PER_WORKER = 8;
    private static final List<Integer> WORKERS = List.of(1, 16);
    private static final List<StrategyWish> STRATEGIES = List.of(StrategyWish.STREAM, StrategyWish.COPY);
    private static final double MEGA = 1e6;

    private final DatasetsSite site;
    private final JobCommands commands;

    private RatesPart(DatasetsSite site) {
        this.site = site;
        commands = site.commands().with(List.of("-D" + EventParserType.PACE + "=" + paceBytes()));
    }

    private static long paceBytes() {
        return PACE_MEGABITS * 1_000_000L / BITS_PER_BYTE;
    }

    static void measure(DatasetsSite site) throws InterruptedException {
        RatesPart part = new RatesPart(site);
        for (int workers : WORKERS) {
            part.compare("2", new NetworkSetting(84, 1000), workers);
            part.compare("3", DatasetsEffort.FAR, workers);
        }
    }

    private void compare(String figure, NetworkSetting path, int workers) throws InterruptedException {
        String ratio = FIGURE + figure + "_copy_to_stream_" + workers;
        long bytes = (long) (workers * paceBytes() * site.effort().transferSeconds());
        try (DataFolder.DataSet set = site.data().events("rates", bytes, 1)) {
            long splitBytes = set.bytes() / ((long) workers * SPLITS_PER_WORKER) + 1;
            JobText text = new JobText(EventKind.EVENTS, set.objects(), splitBytes, workers);
            site.behind(path, url -> {
                AlternatingRounds rounds = new AlternatingRounds();
                for (StrategyWish strategy : STRATEGIES) {
                    rounds.add(strategy.label(), () -> {
                        double seconds =
                                commands.run(new Order(text, url, 0), strategy).jobSeconds();
                        site.log(FIGURE + " " + figure + ", " + workers + ", " + strategy.label(), seconds);
                        return set.bytes() / MEGA / seconds / workers;
                    });
                }
                Map<String, List<Double>> rates =
                        rounds.run(site.effort().scale().rounds());
                rates.forEach((strategy, each) -> site.results()
                        .figure(
                                String.format(Locale.ROOT, "%s%s_%s_%d_mb_per_s", FIGURE, figure, strategy, workers),
                                each));
                site.results()
                        .ratio(ratio, rates.get(StrategyWish.COPY.label()), rates.get(StrategyWish.STREAM.label()));
            });
        } catch (IOException e) {
            site.results().fail(ratio, e);
        }
    }
}
