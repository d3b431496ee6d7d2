package io.chimera.dataset.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Smoothed rates, and the course of a job. */
final class RatesTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void aSteadyRateIsExactFromTheStart() {
        SmoothedRate rate = new SmoothedRate(5 * SECOND, 100);
        assertThat(rate.perSecond()).isZero();
        for (int second = 1; second <= 30; second++) {
            rate.update((5 + second) * SECOND, 100 + 20 * second);

            assertThat(rate.perSecond()).isEqualTo(20, within(1e-9));
        }
    }

    /** Ten seconds after a change, the new rate has a weight of at least one half. */
    @Test
    void aChangedRateIsFollowed() {
        SmoothedRate rate = new SmoothedRate(0, 0);
        for (int second = 1; second <= 100; second++) {
            rate.update(second * SECOND, 100 * second);
        }
        for (int second = 1; second <= 10; second++) {
            rate.update((100 + second) * SECOND, 10_000);
        }

        assertThat(rate.perSecond()).isEqualTo(50, within(1.0));
    }

    @Test
    void aLongCourseKeepsABoundedNumberOfPoints() {
        RateHistory course = new RateHistory(0, SECOND);
        for (int i = 0; i <= 10_000; i++) {
            course.add(i * SECOND, new JobMeters.Sums(i, 0, i, 0, 0));
        }

        assertThat(course.points()).hasSizeBetween(RateHistory.POINTS_MAX / 2, RateHistory.POINTS_MAX);
        assertThat(course.points().get(0).seconds()).isZero();
        assertThat(course.points())
                .allSatisfy(point -> assertThat(point.received()).isEqualTo((long) point.seconds()));
        assertThat(course.points().get(course.points().size() - 1).seconds()).isGreaterThan(9_900);
    }
}
