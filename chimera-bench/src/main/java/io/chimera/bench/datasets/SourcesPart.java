package io.chimera.bench.datasets;

import io.chimera.bench.datasets.path.DelayProxy;
import io.chimera.bench.datasets.process.JobCommands.Order;
import io.chimera.bench.datasets.process.JobText;
import io.chimera.bench.datasets.process.JobText.EventKind;
import io.chimera.dataset.plan.StrategyWish;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.CloseHelper;

/**
 * Rate of a job with four replicas of its source, divided by the rate with one. Each replica is behind a slow path of
 * its own, so that the path is the bottleneck.
 */
final class SourcesPart {
    private static final String RATIO = "sources_4_to_1";
    private static final NetworkSetting SLOW = new NetworkSetting(20, 20);
    private static final int REPLICAS = 4;
    private static final int OBJECTS = 4;
    private static final int SPLITS = 16;
    private static final double MEGA = 1e6;

    private final DatasetsSite site;
    private final DataFolder.DataSet set;
    private final List<String> urls;

    private SourcesPart(DatasetsSite site, DataFolder.DataSet set, List<String> urls) {
        this.site = site;
        this.set = set;
        this.urls = urls;
    }

    static void measure(DatasetsSite site) throws InterruptedException {
        List<DelayProxy> proxies = new ArrayList<>();
        try (DataFolder.DataSet set =
                site.data().events("sources", SLOW.bytes(2 * site.effort().transferSeconds()), OBJECTS)) {
            List<String> urls = new ArrayList<>();
            for (int replica = 0; replica < REPLICAS; replica++) {
                DelayProxy proxy = DelayProxy.start(SLOW.model(), site.server().port());
                proxies.add(proxy);
                urls.add(DatasetsSite.url(proxy.port()));
            }
            new SourcesPart(site, set, urls).compare();
        } catch (IOException e) {
            site.results().fail(RATIO, e);
        } finally {
            CloseHelper.closeAll(proxies);
        }
    }

    private void compare() throws IOException, InterruptedException {
        AlternatingRounds rounds = new AlternatingRounds();
        for (int count : List.of(1, REPLICAS)) {
            rounds.add("sources_" + count, () -> rate(count));
        }
        Map<String, List<Double>> rates = rounds.run(site.effort().settingRounds());
        rates.forEach((sources, each) -> site.results().figure(sources + "_mb_per_s", each));
        site.results().ratio(RATIO, rates.get("sources_" + REPLICAS), rates.get("sources_1"));
    }

    private double rate(int count) throws IOException, InterruptedException {
        JobText text = new JobText(EventKind.EVENTS, set.objects(), set.bytes() / SPLITS);
        Order order = new Order(text, urls.subList(0, count), 0);
        return set.bytes()
                / MEGA
                / site.run(count + " sources", order, StrategyWish.STREAM).jobSeconds();
    }
}
