package io.chimera.dataset.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.plan.ComputationSample;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ComputationProbeTest {
    private final ManualClock clock = new ManualClock();

    /** Computes a constant number of events per second in virtual time. */
    private final class SteadyLoad implements CoreLoad {
        private final double eventsPerSecond;
        private final boolean fails;
        private final long startNs = clock.nanoTime();
        private double coldSeconds;

        SteadyLoad(double eventsPerSecond, boolean fails) {
            this.eventsPerSecond = eventsPerSecond;
            this.fails = fails;
        }

        @Override
        public void start() {}

        @Override
        public long events() {
            double seconds = (clock.nanoTime() - startNs) / 1e9;
            return Math.round(Math.max(0, seconds - coldSeconds) * eventsPerSecond);
        }

        @Override
        public void check() throws IOException {
            if (fails) {
                throw new IOException("out of memory");
            }
        }

        @Override
        public int cores() {
            return 4;
        }

        @Override
        public double bytesPerEvent() {
            return 200;
        }

        @Override
        public void stop() {}
    }

    private ComputationSample measure(SteadyLoad load, Duration timeMax) throws IOException {
        return new ComputationProbe(clock, clock::advance).measure(load, timeMax);
    }

    @Test
    void dividesTheEventsByTheCores() throws IOException {
        ComputationSample sample = measure(new SteadyLoad(80_000, false), Duration.ofSeconds(3));

        assertThat(sample.eventsPerCoreSecond()).isEqualTo(20_000, within(10.0));
        assertThat(sample.bytesPerEvent()).isEqualTo(200);
    }

    /** The first events wait 0.4 s for the compiler. */
    @Test
    void tellsTheTimeThatTheWarmUpLost() throws IOException {
        SteadyLoad load = new SteadyLoad(80_000, false);
        load.coldSeconds = 0.4;
        ComputationProbe probe = new ComputationProbe(clock, clock::advance);

        ComputationSample sample = probe.measure(load, Duration.ofSeconds(3));

        assertThat(sample.eventsPerCoreSecond()).isEqualTo(20_000, within(10.0));
        assertThat(probe.warmUpSeconds()).isEqualTo(0.4, within(0.001));
    }

    @Test
    void aWarmProcessLosesNothing() throws IOException {
        ComputationProbe probe = new ComputationProbe(clock, clock::advance);

        probe.measure(new SteadyLoad(80_000, false), Duration.ofSeconds(3));

        assertThat(probe.warmUpSeconds()).isEqualTo(0, within(0.001));
    }

    @Test
    void usesAtMostHalfOfItsTime() throws IOException {
        long startNs = clock.nanoTime();

        measure(new SteadyLoad(80_000, false), Duration.ofMillis(200));

        assertThat(clock.nanoTime() - startNs).isLessThanOrEqualTo(100_000_000);
    }

    @Test
    void reportsAComputationWithoutEvents() {
        assertThatThrownBy(() -> measure(new SteadyLoad(0, false), Duration.ofSeconds(3)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("format");
    }

    @Test
    void reportsAComputationThatFails() {
        assertThatThrownBy(() -> measure(new SteadyLoad(1, true), Duration.ofSeconds(3)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("memory");
    }
}
