package io.chimera.bench.datasets;

import io.chimera.bench.datasets.process.JobCommands.Order;
import io.chimera.bench.datasets.process.JobText;
import io.chimera.bench.datasets.process.JobText.EventKind;
import io.chimera.dataset.plan.StrategyWish;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Rate of a job over compressed line protocol, divided by the rate over the same points without compression. */
final class FormatsPart {
    private static final String RATIO = "stream_gzip_to_plain";
    private static final String PLAIN = "plain";
    private static final String GZIP = "gzip";

    /** Objects: a gzip object is one split. */
    private static final int OBJECTS = 8;

    private static final double MEGA = 1e6;

    private FormatsPart() {}

    static void measure(DatasetsSite site) throws InterruptedException {
        long bytes = DatasetsEffort.FAST.bytes(site.effort().settingSeconds());
        try (DataFolder.DataSet plain = site.data().points(PLAIN, bytes, OBJECTS);
                DataFolder.DataSet gzip = site.data().gzipPoints(GZIP, bytes, OBJECTS)) {
            site.behind(DatasetsEffort.FAST, url -> {
                AlternatingRounds rounds = new AlternatingRounds();
                rounds.add(PLAIN, () -> rate(site, PLAIN, plain, url));
                rounds.add(GZIP, () -> rate(site, GZIP, gzip, url));
                Map<String, List<Double>> rates = rounds.run(site.effort().settingRounds());
                rates.forEach((format, each) -> site.results().figure("stream_" + format + "_mb_per_s", each));
                site.results().ratio(RATIO, rates.get(GZIP), rates.get(PLAIN));
            });
        } catch (IOException e) {
            site.results().fail(RATIO, e);
        }
    }

    private static double rate(DatasetsSite site, String format, DataFolder.DataSet set, String url)
            throws IOException, InterruptedException {
        JobText job = new JobText(EventKind.POINTS, set.objects(), set.bytes());
        return set.bytes()
                / MEGA
                / site.run(format, new Order(job, url, 0), StrategyWish.STREAM).jobSeconds();
    }
}
