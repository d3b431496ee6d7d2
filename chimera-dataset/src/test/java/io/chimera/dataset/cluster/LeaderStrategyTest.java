package io.chimera.dataset.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.dataset.meter.WorkMeasures;
import io.chimera.dataset.plan.Advice;
import io.chimera.dataset.plan.Prices;
import io.chimera.dataset.plan.ReasonCode;
import io.chimera.dataset.plan.Strategy;
import io.chimera.dataset.plan.StrategyRules;
import io.chimera.dataset.plan.StrategyWish;
import io.chimera.dataset.plan.WholeJobLimits;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class LeaderStrategyTest {
    private static final List<Long> MISSING = Collections.nCopies(100, 1_000_000L);
    private static final List<WorkerSession> WORKERS =
            List.of(new WorkerSession(1, 101, "a", "h:1", 2), new WorkerSession(2, 102, "b", "h:2", 2));

    private final ClusterRig rig = new ClusterRig();

    @AfterEach
    void close() {
        rig.close();
    }

    private LeaderStrategy strategy(StrategyWish wish) {
        return strategy(wish, Prices.NONE, WholeJobLimits.NONE);
    }

    private LeaderStrategy strategy(StrategyWish wish, Prices prices, WholeJobLimits limits) {
        StrategyRules rules = new StrategyRules(wish, prices, limits, Duration.ZERO);
        return new LeaderStrategy(ClusterRig.JOB, rig.program(rules), rig.ledger, rig.clock);
    }

    private void report(long session, long number, int splits) {
        long ns = splits * 100_000_000L;
        rig.ledger.add(List.of(new WorkerReport(
                new ReportId(session, number),
                1,
                session + 100,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                new WorkMeasures(
                        new WorkMeasures.Computed(splits, splits * 1_000_000L, splits, ns, ns),
                        new WorkMeasures.Moved(splits * 1_000_000L, ns),
                        WorkMeasures.Moved.NONE,
                        0))));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
    void theStrategyOfTheJobIsThatOfItsSplits(StrategyWish wish) {
        assertThat(strategy(wish).next(MISSING, WORKERS)).isEqualTo(wish.fixed().orElseThrow());
    }

    @Test
    void aJobBeginsWithStream() {
        LeaderStrategy strategy = strategy(StrategyWish.AUTO);

        assertThat(strategy.next(MISSING, List.of())).isEqualTo(Strategy.STREAM);
        assertThat(strategy.next(MISSING, WORKERS)).isEqualTo(Strategy.STREAM);
    }

    /** Reports arrive late, sessions end, and splits are computed twice; the nodes have no copies. */
    @Test
    void reportsInAnyOrderDoNoHarm() {
        report(3, 1, 50);
        LeaderStrategy strategy = strategy(StrategyWish.AUTO);
        for (int i = 1; i <= 60; i++) {
            rig.clock.advance(Duration.ofMillis(200));
            report(1 + i % 2, 1 + i / 2, 2 * i);

            assertThat(strategy.next(MISSING, i % 7 == 0 ? List.of() : WORKERS)).isEqualTo(Strategy.STREAM);
        }
        assertThat(rig.ledger.measures().computed().splits()).isEqualTo(50 + 120 + 118);
    }

    private Advice advice(Prices prices, WholeJobLimits limits) {
        LeaderStrategy strategy = strategy(StrategyWish.AUTO, prices, limits);
        strategy.next(MISSING, WORKERS);
        return strategy.advice().orElseThrow();
    }

    private Advice advice(WholeJobLimits limits) {
        return advice(Prices.NONE, limits);
    }

    private WholeJobLimits deadline(long seconds) {
        return new WholeJobLimits(OptionalLong.of(rig.clock.epochMs() + seconds * 1000), OptionalDouble.empty());
    }

    /**
     * The missing splits take five seconds: 100 MB at 10 MB/s of each worker. The work before the term took 250 s, and
     * counts neither as time that is left nor as time that has passed of the deadline.
     */
    @Test
    void aNewLeaderKeepsTheDeadline() {
        report(1, 1, 5_000);

        assertThat(advice(deadline(7)).keepsLimits()).isTrue();
        assertThat(advice(deadline(4)).reasons(ReasonCode.TIME_LIMIT_EXCEEDED)).isNotEmpty();

        WholeJobLimits limits = deadline(1_000);
        assertThat(advice(limits).keepsLimits()).isTrue();
        rig.clock.advance(Duration.ofSeconds(993));
        assertThat(advice(limits).keepsLimits()).isTrue();
        rig.clock.advance(Duration.ofSeconds(3));
        assertThat(advice(limits).reasons(ReasonCode.TIME_LIMIT_EXCEEDED)).isNotEmpty();
    }

    /** A GB read costs 1: the missing splits cost 0.1. */
    @Test
    void aNewLeaderCountsTheCostBeforeItsTerm() {
        Prices prices = new Prices(0, 0, 1, "USD");
        WholeJobLimits limits = new WholeJobLimits(OptionalLong.empty(), OptionalDouble.of(0.18));
        report(1, 1, 50);
        assertThat(advice(prices, limits).keepsLimits()).isTrue();

        report(2, 1, 50);

        assertThat(advice(prices, limits).reasons(ReasonCode.COST_LIMIT_EXCEEDED))
                .isNotEmpty();
    }

    /**
     * A worker costs 1 per second. One worker was busy for 20 s, so it costs 20; the 300 MB that are left cost 30 at
     * 10 MB/s.
     */
    @Test
    void aWorkerThatJoinsChangesNoEarlierCost() {
        Prices prices = new Prices(3600, 0, 0, "USD");
        List<Long> missing = Collections.nCopies(500, 1_000_000L);
        LeaderStrategy strategy =
                strategy(StrategyWish.AUTO, prices, new WholeJobLimits(OptionalLong.empty(), OptionalDouble.of(53)));
        strategy.next(missing, WORKERS.subList(0, 1));
        rig.clock.advance(Duration.ofSeconds(20));
        report(1, 1, 200);

        strategy.next(missing, WORKERS);

        assertThat(strategy.advice().orElseThrow().keepsLimits()).isTrue();
    }

    /** What was measured before the term is worth as much as what follows. */
    @Test
    void aNewLeaderKnowsTheRatesAtOnce() {
        report(1, 1, 50);
        report(2, 1, 50);

        Advice advice = advice(Prices.NONE, WholeJobLimits.NONE);

        assertThat(advice.reviews()).isEqualTo(1);
        assertThat(advice.input().extent().bytes()).isEqualTo(200_000_000);
    }

    @Test
    void theLastReportOfASessionCounts() {
        report(1, 2, 9);
        report(1, 1, 4);
        report(2, 1, 1);

        assertThat(rig.ledger.measures().computed().splits()).isEqualTo(10);
    }
}
