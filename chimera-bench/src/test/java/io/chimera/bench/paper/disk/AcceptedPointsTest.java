package io.chimera.bench.paper.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

final class AcceptedPointsTest {
    private static final Offset<Double> EXACT = Offset.offset(1e-6);

    @Test
    void countsFromTheFirstTotals() {
        AcceptedPoints points = new AcceptedPoints();
        add(points, 5, 1_000, 7);
        add(points, 6, 1_500, 7);
        add(points, 9, 3_000, 10);

        assertThat(points.seconds()).isEqualTo(4);
        assertThat(points.points()).isEqualTo(2_000);
        assertThat(points.refused()).isEqualTo(3);
    }

    @Test
    void dividesTheTimeIntoEqualSteps() {
        AcceptedPoints points = new AcceptedPoints();
        add(points, 0, 0, 0);
        add(points, 1, 100, 0);
        add(points, 4, 400, 6);

        assertThat(points.rates(2)).hasSize(2).allSatisfy(rate -> assertThat(rate)
                .isCloseTo(100, EXACT));
        assertThat(points.refusedRates(2)).element(0).satisfies(rate -> assertThat(rate)
                .isCloseTo(1, EXACT));
        assertThat(points.refusedRates(2)).element(1).satisfies(rate -> assertThat(rate)
                .isCloseTo(2, EXACT));
    }

    @Test
    void timesWholeCyclesOnly() {
        AcceptedPoints points = new AcceptedPoints();
        add(points, 0, 50, 0);
        add(points, 2, 250, 0);
        add(points, 6, 350, 0);

        assertThat(points.cycleSeconds(100)).hasSize(3).element(0).satisfies(s -> assertThat(s)
                .isCloseTo(1, EXACT));
        assertThat(points.cycleSeconds(100)).element(2).satisfies(s -> assertThat(s)
                .isCloseTo(4, EXACT));
        assertThat(points.cycleSeconds(1_000)).isEmpty();
    }

    private static void add(AcceptedPoints points, long seconds, long total, long refused) {
        points.add(TimeUnit.SECONDS.toNanos(seconds), total, refused);
    }
}
