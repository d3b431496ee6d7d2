package io.chimera.bench.datasets;

import io.chimera.bench.datasets.process.JobCommands.Order;
import io.chimera.bench.datasets.process.JobText;
import io.chimera.bench.datasets.process.JobText.EventKind;
import io.chimera.dataset.plan.StrategyWish;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Rate of stream over a path of 84 ms, divided by the rate over a path of the same rate without a round trip. */
final class RoundTripPart {
    private static final String RATIO = "stream_84ms_to_0ms";
    private static final int OBJECTS = 4;

    /** Default of jobs. */
    private static final long SPLIT_BYTES = 64L << 20;

    private static final double MEGA = 1e6;

    private RoundTripPart() {}

    static void measure(DatasetsSite site) throws InterruptedException {
        DatasetsEffort effort = site.effort();
        try (DataFolder.DataSet set =
                site.data().points("far", DatasetsEffort.FAR.bytes(effort.transferSeconds()), OBJECTS)) {
            JobText job = new JobText(EventKind.POINTS, set.objects(), SPLIT_BYTES);
            AlternatingRounds rounds = new AlternatingRounds();
            for (NetworkSetting path : List.of(DatasetsEffort.NEAR, DatasetsEffort.FAR)) {
                rounds.add(path.label(), () -> rate(site, path, job, set.bytes()));
            }
            Map<String, List<Double>> rates = rounds.run(effort.rounds());
            rates.forEach((path, each) -> site.results().figure("stream_" + path + "_mb_per_s", each));
            site.results().ratio(RATIO, rates.get(DatasetsEffort.FAR.label()), rates.get(DatasetsEffort.NEAR.label()));
        } catch (IOException e) {
            site.results().fail(RATIO, e);
        }
    }

    /** Returns MB/s of the job alone: the start of the JVM would hide a slow path. */
    private static double rate(DatasetsSite site, NetworkSetting path, JobText job, long bytes)
            throws IOException, InterruptedException {
        double[] seconds = new double[1];
        site.behind(
                path,
                url -> seconds[0] = site.run(path.label(), new Order(job, url, 0), StrategyWish.STREAM)
                        .jobSeconds());
        return bytes / MEGA / seconds[0];
    }
}
