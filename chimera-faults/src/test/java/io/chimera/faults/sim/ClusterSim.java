package io.chimera.faults.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.Row;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.OpenCycle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two queue nodes and two processors, from requests to rows. What was acknowledged is in the store, once; and at every
 * moment the cycles keep their rules. A seed that fails is repeated by adding it to the list.
 */
class ClusterSim {
    private static final int REQUESTS = 60;
    private static final int EVENTS_MAX = 400_000;
    private static final int WINDOW = 3;

    @TempDir
    private Path folder;

    private SimCluster cluster;
    private final List<SimExchange> requests = new ArrayList<>();
    private SortedMap<Long, Long> lastCut = new TreeMap<>();
    private long lastTimeMs;
    private long lastCycle;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void storesEveryPointOnce(long seed) {
        cluster = new SimCluster(seed, folder, 2, 2);

        run(event -> {});

        assertConserved();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {101, 102, 103, 104, 105, 106, 107, 108, 109, 110})
    void storesEveryPointOnceAlthoughAProcessorDies(long seed) {
        cluster = new SimCluster(seed, folder, 2, 2);
        SimCluster.Member third = cluster.addProcessor("p3");
        int killedAt = 5_000 + cluster.random().nextInt(60_000);
        int joinedAt = killedAt + cluster.random().nextInt(20_000);

        run(event -> {
            if (event == killedAt) {
                cluster.kill(third);
            } else if (event == joinedAt) {
                cluster.addProcessor("p4");
            }
        });

        assertConserved();
    }

    private interface Plan {
        void at(int event);
    }

    /** Sends all requests at random moments, then waits until everything is stored. */
    private void run(Plan plan) {
        for (int event = 0; event < EVENTS_MAX; event++) {
            if (requests.size() < REQUESTS && cluster.random().nextInt(1_000) == 0) {
                requests.add(newRequest());
                cluster.send(requests.get(requests.size() - 1));
            }
            plan.at(event);
            cluster.step();
            checkRules();
            if (requests.size() == REQUESTS && event > 100_000 && isAllStored()) {
                return;
            }
        }
        assertThat(requests).as("requests sent").hasSize(REQUESTS);
        assertThat(isAllStored())
                .as("stuck: after %d events the view is %s", EVENTS_MAX, cluster.truth())
                .isTrue();
    }

    private SimExchange newRequest() {
        List<SimExchange.Point> points = new ArrayList<>();
        for (int i = 1 + cluster.random().nextInt(40); i > 0; i--) {
            points.add(new SimExchange.Point(
                    "s" + cluster.random().nextInt(20), cluster.random().nextInt(1_000)));
        }
        return new SimExchange(points);
    }

    private boolean isAllStored() {
        ClusterView view = cluster.truth();
        long sent =
                requests.stream().mapToLong(request -> request.points().size()).sum();
        return requests.stream().allMatch(SimExchange::isAnswered)
                && view.cycles().isEmpty()
                && view.low().totals().points() == sent;
    }

    /** CutsMonotone, Window, and that times only grow: after every event. */
    private void checkRules() {
        ClusterView view = cluster.truth();
        assertThat(view.cycles()).as("Window").hasSizeLessThanOrEqualTo(WINDOW);
        for (OpenCycle open : view.cycles().tailMap(lastCycle + 1).values()) {
            assertThat(open.cycle().timeMs())
                    .as("time of cycle " + open.cycle().number())
                    .isGreaterThan(lastTimeMs);
            lastCut.forEach((stream, seq) -> assertThat(open.cycle().cut().getOrDefault(stream, seq))
                    .as("CutsMonotone")
                    .isGreaterThanOrEqualTo(seq));
            lastCut = open.cycle().cut();
            lastTimeMs = open.cycle().timeMs();
            lastCycle = open.cycle().number();
        }
    }

    /** NoLoss, NoDouble, Accounted: per series the stored counts and sums are those of what was sent. */
    private void assertConserved() {
        assertThat(requests).allMatch(SimExchange::isAcknowledged, "acknowledged");
        Map<String, Double> counts = new TreeMap<>();
        Map<String, Double> sums = new TreeMap<>();
        for (SimExchange request : requests) {
            for (SimExchange.Point point : request.points()) {
                counts.merge(point.series(), 1.0, Double::sum);
                sums.merge(point.series(), (double) point.value(), Double::sum);
            }
        }
        assertThat(stored("m.v.count")).isEqualTo(counts);
        assertThat(stored("m.v.sum")).isEqualTo(sums);
        assertThat(cluster.truth().low().totals().unaccounted()).isZero();
    }

    private Map<String, Double> stored(String metric) {
        Map<String, Double> bySeries = new TreeMap<>();
        for (Row row : cluster.store().rows()) {
            if (row.metric().equals(metric)) {
                bySeries.merge(row.tags().get("series"), row.asDouble(), Double::sum);
            }
        }
        return bySeries;
    }
}
