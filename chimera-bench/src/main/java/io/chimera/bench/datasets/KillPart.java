package io.chimera.bench.datasets;

import io.chimera.bench.datasets.process.JobCommands.Order;
import io.chimera.bench.datasets.process.JobText;
import io.chimera.bench.datasets.process.JobText.EventKind;
import io.chimera.dataset.plan.StrategyWish;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Time of a job that is killed at half of its time and run again, divided by the time without the kill. The rows must
 * be equal.
 */
final class KillPart {
    private static final String RATIO = "kill_overhead";
    private static final int OBJECTS = 4;
    private static final int SPLITS = 32;

    private KillPart() {}

    static void measure(DatasetsSite site, double passSeconds) throws InterruptedException {
        DatasetsEffort effort = site.effort();
        try (DataFolder.DataSet set =
                site.data().events("kill", DatasetsEffort.FAR.bytes(effort.transferSeconds()), OBJECTS)) {
            JobText job = new JobText(EventKind.EVENTS, set.objects(), set.bytes() / SPLITS);
            int passes = ComputePasses.of(ComputeLoad.LIGHT, effort.transferSeconds(), set.events(), passSeconds);
            site.behind(DatasetsEffort.FAR, url -> {
                for (StrategyWish strategy : StrategyWish.values()) {
                    if (strategy == StrategyWish.STREAM || (!site.bench().isQuick() && strategy != StrategyWish.AUTO)) {
                        compare(site, new Order(job, url, passes), strategy);
                    }
                }
            });
        } catch (IOException e) {
            site.results().fail(RATIO, e);
        }
    }

    private static void compare(DatasetsSite site, Order order, StrategyWish strategy)
            throws IOException, InterruptedException {
        List<Double> whole = new ArrayList<>();
        List<Double> killed = new ArrayList<>();
        for (int round = 0; round < site.effort().settingRounds(); round++) {
            whole.add(site.run("not killed", order, strategy).processSeconds());
            String rows = site.commands().rows();
            killed.add(site.commands().killed(order, strategy, whole.get(round) / 2));
            site.log("killed and run again, " + strategy.label(), killed.get(round));
            if (!site.commands().rows().equals(rows)) {
                throw new IllegalStateException("a killed job with strategy " + strategy.label()
                        + " has other rows than the same job without a kill");
            }
        }
        String suffix = strategy == StrategyWish.STREAM ? "" : "_" + strategy.label();
        site.results().figure("not_killed" + suffix + "_s", whole);
        site.results().figure("killed" + suffix + "_s", killed);
        site.results().ratio(RATIO + suffix, killed, whole);
    }
}
