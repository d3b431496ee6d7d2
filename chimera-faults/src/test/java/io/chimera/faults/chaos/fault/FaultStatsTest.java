package io.chimera.faults.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class FaultStatsTest {
    private static final long MS = 1_000_000;

    @Test
    void tellsPercentilesOfEachKind() {
        List<FaultOutcome> outcomes = new ArrayList<>();
        for (int i = 1; i <= 200; i++) {
            outcomes.add(outcome(FaultKind.QUEUE_KILL, i * MS, 2L * i * MS, 3L * i * MS));
        }
        outcomes.add(outcome(FaultKind.LINK_DOWN, 7 * MS, 0, 0));

        Map<FaultKind, FaultStats> stats = FaultStats.byKind(outcomes, 60_000 * MS);

        assertThat(stats.keySet()).containsExactly(FaultKind.QUEUE_KILL, FaultKind.LINK_DOWN);
        assertThat(stats).containsEntry(FaultKind.QUEUE_KILL, new FaultStats(200, 100, 198, 200, 400, 600));
        assertThat(stats).containsEntry(FaultKind.LINK_DOWN, new FaultStats(1, 7, 7, 7, 0, 0));
    }

    @Test
    void countsWhatNeverRecoveredWithThePatience() {
        FaultOutcome stuck = outcome(FaultKind.STORE_KILL, -1, 0, 0);

        assertThat(stuck.isRecovered()).isFalse();
        assertThat(FaultStats.byKind(List.of(stuck), 60_000 * MS))
                .containsEntry(FaultKind.STORE_KILL, new FaultStats(1, 60_000, 60_000, 60_000, 0, 0));
    }

    @Test
    void roundsPercentilesUp() {
        List<Long> sorted = LongStream.rangeClosed(1, 10).boxed().toList();

        assertThat(FaultStats.percentile(sorted, 50)).isEqualTo(5);
        assertThat(FaultStats.percentile(sorted, 99)).isEqualTo(10);
        assertThat(FaultStats.percentile(sorted, 0)).isEqualTo(1);
    }

    private static FaultOutcome outcome(FaultKind kind, long recoveryNs, long stallNs, long ackWaitNs) {
        return new FaultOutcome(new Fault(1, kind, "x", "", 1, 1, 0), recoveryNs, stallNs, ackWaitNs, List.of());
    }
}
