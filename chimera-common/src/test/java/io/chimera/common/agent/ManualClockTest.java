package io.chimera.common.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ManualClockTest {
    private final ManualClock clock = new ManualClock();

    @Test
    void movesBothTimesWhenAdvanced() {
        long nano = clock.nanoTime();
        long epoch = clock.epochNs();

        clock.advance(Duration.ofSeconds(2));
        clock.advanceMs(3);

        assertThat(clock.nanoTime() - nano).isEqualTo(2_003_000_000L);
        assertThat(clock.epochNs() - epoch).isEqualTo(2_003_000_000L);
    }

    @Test
    void stepsTheWallClockAlone() {
        long nano = clock.nanoTime();
        long epochMs = clock.epochMs();

        clock.stepWallClock(Duration.ofHours(-1));

        assertThat(clock.nanoTime()).isEqualTo(nano);
        assertThat(clock.epochMs()).isEqualTo(epochMs - 3_600_000);
    }

    @Test
    void refusesToGoBack() {
        assertThatThrownBy(() -> clock.advanceNs(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
