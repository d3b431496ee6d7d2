package io.chimera.faults.sim.plane;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Counts requests to ZooKeeper of clusters of two sizes. */
final class PlaneRunSim {
    private static final int CYCLES = 2;

    /** Tolerance over linear growth: fixed costs of a coordinator and n log n are below. */
    private static final double LINEAR = 1.3;

    private static final int SMALL = 10;
    private static final int LARGE = 10 * SMALL;

    @Test
    void requestsGrowNoFasterThanTheNodes() {
        PlaneFigures small = PlaneRun.measure(new PlaneSize(SMALL, 1), CYCLES);
        PlaneFigures large = PlaneRun.measure(new PlaneSize(LARGE, 1), CYCLES);

        assertThat(small.cycles()).isEqualTo(CYCLES);
        assertThat(large.cycles()).isEqualTo(CYCLES);
        assertThat(large.convergeNs()).isLessThan(Long.MAX_VALUE);
        assertThat(growth(small.counts().writes(), large.counts().writes())).isLessThan(LINEAR);
        assertThat(growth(small.counts().reads(), large.counts().reads())).isLessThan(LINEAR);
        assertThat(growth(small.counts().watchesFired(), large.counts().watchesFired()))
                .isLessThan(LINEAR);
        assertThat(growth(small.counts().bytesWritten(), large.counts().bytesWritten()))
                .isLessThan(LINEAR);
    }

    /** Returns the growth over the growth of the nodes. */
    private static double growth(long small, long large) {
        return (double) large / small / (LARGE / SMALL);
    }

    @Test
    void countsDoNotDependOnTheMachine() {
        PlaneSize size = new PlaneSize(SMALL, 2); // with lanes
        PlaneFigures once = PlaneRun.measure(size, CYCLES);
        PlaneFigures again = PlaneRun.measure(size, CYCLES);

        assertThat(again.counts()).isEqualTo(once.counts());
        assertThat(again.convergeNs()).isEqualTo(once.convergeNs());
    }
}
