package io.chimera.faults.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.faults.chaos.fault.FaultKind.Since;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        Optional<Fault> second = Optional.of(fault(FaultKind.STORE_KILL));
        outcomes.add(new FaultOutcome(fault(FaultKind.LINK_DOWN), second, 9 * MS, 0, 0, List.of()));

        Map<String, FaultStats> stats = FaultStats.byLabel(outcomes, 60_000 * MS);

        assertThat(stats.keySet()).containsExactly("link_down", "queue_kill", "two_at_once");
        assertThat(stats).containsEntry("queue_kill", new FaultStats(200, Since.FAULT, 100, 198, 200, 400, 600));
        assertThat(stats).containsEntry("link_down", new FaultStats(1, Since.FAULT, 7, 7, 7, 0, 0));
        assertThat(stats).containsEntry("two_at_once", new FaultStats(2, Since.HEAL, 9, 9, 9, 0, 0));
    }

    @Test
    void countsWhatNeverRecoveredWithThePatience() {
        FaultOutcome stuck = outcome(FaultKind.STORE_KILL, -1, 0, 0);

        assertThat(stuck.isRecovered()).isFalse();
        assertThat(FaultStats.byLabel(List.of(stuck), 60_000 * MS))
                .containsEntry("store_kill", new FaultStats(1, Since.HEAL, 60_000, 60_000, 60_000, 0, 0));
    }

    @Test
    void roundsPercentilesUp() {
        List<Long> sorted = LongStream.rangeClosed(1, 10).boxed().toList();

        assertThat(FaultStats.percentile(sorted, 50)).isEqualTo(5);
        assertThat(FaultStats.percentile(sorted, 99)).isEqualTo(10);
        assertThat(FaultStats.percentile(sorted, 0)).isEqualTo(1);
    }

    private static Fault fault(FaultKind kind) {
        return new Fault(1, kind, "x", "", 1, 1, 0);
    }

    private static FaultOutcome outcome(FaultKind kind, long recoveryNs, long stallNs, long ackWaitNs) {
        return new FaultOutcome(fault(kind), Optional.empty(), recoveryNs, stallNs, ackWaitNs, List.of());
    }
}
