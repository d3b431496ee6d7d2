package io.chimera.coordinator.conductor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.chimera.common.cluster.CyclePeriods;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Choice of the period for cycles whose time is a line: {@code fixed + slope × points}. */
final class PeriodRuleTest {
    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final CyclePeriods BOUNDS = new CyclePeriods(LEAST, Duration.ofSeconds(16));
    private static final double RATE = 10_000;

    private final PeriodRule rule = new PeriodRule(BOUNDS);
    private final List<Long> changes = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(11);
    private long number;
    private double noise;

    @Test
    void beginsWithTheShortestPeriod() {
        assertThat(rule.period()).isEqualTo(LEAST);
    }

    @Test
    void staysWhenAFifthOfThePeriodCoversTheFixedCost() {
        run(200, 190, 0);

        assertThat(rule.period()).isEqualTo(LEAST);
        assertThat(changes).isEmpty();
    }

    @Test
    void doublesUntilAFifthOfThePeriodCoversTheFixedCost() {
        run(200, 700, 0);

        assertThat(rule.period()).hasSeconds(4);
        assertThat(changes).hasSize(2);
        assertThat(rule.fixedNs()).isEqualTo(700e6, within(10e6));
    }

    @Test
    void neverExceedsTheUpperBound() {
        run(200, 20_000, 0);

        assertThat(rule.period()).hasSeconds(16);
    }

    @Test
    void takesBackALongerPeriodThatDoesNotHelp() {
        run(300, 0, 0.045); // 450 ms per second of points

        assertThat(rule.period()).isEqualTo(LEAST);
        assertThat(changes).hasSizeLessThanOrEqualTo(4);
        assertThat(rule.fixedNs()).isLessThan(100e6);
    }

    @Test
    void shortensWhenTheFixedCostFalls() {
        run(100, 700, 0.01);
        assertThat(rule.period()).hasSeconds(4);

        run(100, 20, 0.01);

        assertThat(rule.period()).isEqualTo(LEAST);
    }

    @Test
    void keepsAPeriodWhileTheFixedCostVariesByLessThanHalf() {
        run(100, 500, 0.01);
        Duration period = rule.period();
        changes.clear();

        for (int i = 0; i < 50; i++) {
            run(5, i % 2 == 0 ? 560 : 440, 0.01);
        }

        assertThat(rule.period()).isEqualTo(period);
        assertThat(changes).isEmpty();
    }

    @Test
    void changesAtMostOnceInFourCyclesAndByOneDoublingAtATime() {
        noise = 3;
        run(2_000, 200, 0.01);

        for (int i = 1; i < changes.size(); i++) {
            assertThat(changes.get(i) - changes.get(i - 1)).isGreaterThanOrEqualTo(PeriodRule.SETTLED);
        }
    }

    @Test
    void settlesAlthoughTimesVaryByAThird() {
        noise = 0.3;
        run(200, 600, 0.02);
        changes.clear();

        run(2_000, 600, 0.02);

        assertThat(changes).hasSizeLessThanOrEqualTo(20);
        assertThat(rule.period()).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(8));
    }

    @Test
    void aFixedPeriodNeverChanges() {
        PeriodRule fixed = new PeriodRule(CyclePeriods.fixed(Duration.ofSeconds(10)));
        for (int i = 0; i < 100; i++) {
            fixed.measured(new CycleCost(i, 1_000, 9_000_000_000L, Map.of()));
        }

        assertThat(fixed.period()).hasSeconds(10);
    }

    private void run(int cycles, double fixedMs, double msPerPoint) {
        for (int i = 0; i < cycles; i++) {
            Duration before = rule.period();
            double points = RATE * before.toMillis() / 1_000;
            double ms = (fixedMs + msPerPoint * points) * (1 + noise * (random.nextDouble() * 2 - 1));
            rule.measured(new CycleCost(++number, (long) points, (long) (Math.max(1, ms) * 1e6), Map.of()));
            if (!rule.period().equals(before)) {
                assertThat(rule.period()).isIn(before.multipliedBy(2), before.dividedBy(2));
                changes.add(number);
            }
        }
    }
}
