package io.chimera.dataset.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.dataset.plan.JobLimits;
import io.chimera.dataset.plan.Prices;
import io.chimera.dataset.plan.Strategy;
import io.chimera.dataset.plan.StrategyRules;
import io.chimera.dataset.plan.StrategyWish;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
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
        StrategyRules rules = new StrategyRules(wish, Prices.NONE, JobLimits.NONE, Duration.ZERO);
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
                new WorkerMeasures(splits, splits * 1_000_000L, splits, ns, ns, splits * 1_000_000L, ns, 0, 0, 0))));
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
        assertThat(rig.ledger.measures().splits()).isEqualTo(50 + 120 + 118);
    }

    @Test
    void theLastReportOfASessionCounts() {
        report(1, 2, 9);
        report(1, 1, 4);
        report(2, 1, 1);

        assertThat(rig.ledger.measures().splits()).isEqualTo(10);
    }
}
