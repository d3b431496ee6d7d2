package io.chimera.bench.datasets.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class WorkerPaceTest {
    @Test
    void computesNoFasterThanItsPace() {
        WorkerPace pace = new WorkerPace(1_000_000);
        long startNs = System.nanoTime();
        for (int event = 0; event < 10; event++) {
            pace.spend(10_000);
        }

        // without the time that may be made up for at the begin
        assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(80));
    }

    @Test
    void neverRestsAfterAnInterrupt() {
        WorkerPace pace = new WorkerPace(1);
        Thread.currentThread().interrupt();
        pace.spend(1_000_000_000);

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void refusesANegativePace() {
        assertThatThrownBy(() -> new WorkerPace(-1)).hasMessageContaining(EventParserType.PACE);
    }
}
