package io.chimera.dataset.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.plan.ConnectionRate;
import io.chimera.dataset.plan.SourceSample;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SourceProbeTest {
    private static final double MBIT = 1e6 / 8;

    private final ManualClock clock = new ManualClock();

    private SampleBudget budget(SampleLimits limits) {
        return new SampleBudget(limits, clock);
    }

    private static double rateOf(SourceSample sample, int connections) {
        return sample.rates().stream()
                .filter(rate -> rate.connections() == connections)
                .mapToDouble(ConnectionRate::bytesPerSecond)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"0, 10", "0, 100", "0, 1000", "20, 10", "20, 100", "20, 1000", "84, 10", "84, 100", "84, 1000"})
    void findsRoundTripAndRateOfTheNineSettings(long roundTripMs, double mbits) throws IOException {
        double rate = mbits * MBIT;
        ModelledSource source = new ModelledSource(clock, Duration.ofMillis(roundTripMs), rate, rate);
        SampleLimits limits = SampleLimits.DEFAULT;
        long startNs = clock.nanoTime();

        SourceSample sample = new SourceProbe(source, budget(limits)).measure();

        assertThat(sample.roundTrip().toMillis()).isBetween(roundTripMs, roundTripMs + 1);
        assertThat(sample.best()).isCloseTo(rate, withinPercentage(3));
        assertThat(rateOf(sample, 1)).isCloseTo(rate, withinPercentage(3));
        assertThat(sample.isRising()).isFalse();
        assertThat(source.bytes()).isLessThanOrEqualTo(limits.bytesMax());
        assertThat(clock.nanoTime() - startNs).isLessThan(limits.timeMax().toNanos());
    }

    /** Each connection has 5 MB/s; the source has 60 MB/s: 1, 2, 4 and 8 rise, 16 reach the limit. */
    @Test
    void addsConnectionsUntilTheRateNoLongerRises() throws IOException {
        ModelledSource source = new ModelledSource(clock, Duration.ofMillis(20), 5e6, 60e6);

        SourceSample sample = new SourceProbe(source, budget(SampleLimits.DEFAULT)).measure();

        assertThat(rateOf(sample, 1)).isCloseTo(5e6, withinPercentage(1));
        assertThat(rateOf(sample, 8)).isCloseTo(40e6, withinPercentage(1));
        assertThat(rateOf(sample, 16)).isCloseTo(60e6, withinPercentage(1));
        assertThat(sample.isRising()).isFalse();
        assertThat(source.rounds()).contains(32);
    }

    /**
     * A data set of 37.5 MB at 100 Mbit/s and 84 ms: the sample is shorter than the way, and the first round of each
     * connection is a matter of its window.
     */
    @Test
    void windowsOfNewConnectionsAreNotTheRate() throws IOException {
        double rate = 100 * MBIT;
        ModelledSource source = new ModelledSource(clock, Duration.ofMillis(84), rate, rate);
        source.windows(14_600);
        SampleLimits limits = SampleLimits.DEFAULT.ofDataSet(37_500_000);
        SourceProbe probe = new SourceProbe(source, budget(limits));

        SourceSample sample = probe.measure();

        assertThat(sample.best()).isCloseTo(rate, withinPercentage(5));
        assertThat(rateOf(sample, 8)).isCloseTo(rate, withinPercentage(5));
        assertThat(probe.rampSeconds()).as("round trips lost").isBetween(0.08, 1.0);
        assertThat(source.bytes()).isLessThanOrEqualTo(limits.bytesMax());
    }

    @Test
    void aNearSourceIsMeasuredOnce() throws IOException {
        ModelledSource source = new ModelledSource(clock, Duration.ofMillis(1), 100 * MBIT, 100 * MBIT);
        SourceProbe probe = new SourceProbe(source, budget(SampleLimits.DEFAULT));

        probe.measure();

        assertThat(source.rounds()).containsExactly(1, 1, 2, 4, 8);
        assertThat(probe.rampSeconds()).isZero();
    }

    @Test
    void measuresAgainUnderLoadWithTheFastestNumberOfConnections() throws IOException {
        ModelledSource source = new ModelledSource(clock, Duration.ofMillis(20), 5e6, 60e6);
        SourceProbe probe = new SourceProbe(source, budget(SampleLimits.DEFAULT));
        SourceSample idle = probe.measure();
        source.total(12e6);

        SourceSample busy = probe.measureBusy(idle);

        assertThat(busy.busyBytesPerSecond().orElseThrow()).isCloseTo(12e6, withinPercentage(3));
        assertThat(busy.rates()).isEqualTo(idle.rates());
        assertThat(probe.bytesPerCoreSecond()).isPresent();
    }

    /**
     * The computation warms up while no byte arrives, so each connection begins with a small window again. That is no
     * starvation: the same network receives as fast as before. The first window is so small that rounds are repeated as
     * often as possible.
     */
    @ParameterizedTest
    @CsvSource({
        "37_500_000, 14_600",
        "37_500_000, 1_460",
        "1_000_000_000, 14_600",
        "1_000_000_000, 1_460",
        "20_000_000, 2_920"
    })
    void windowsAfterThePauseOfTheComputationAreNoStarvation(long dataSet, double window) throws IOException {
        double rate = 100 * MBIT;
        ModelledSource source = new ModelledSource(clock, Duration.ofMillis(84), rate, rate);
        source.windows(window);
        SampleLimits limits = SampleLimits.DEFAULT.ofDataSet(dataSet);
        SourceProbe probe = new SourceProbe(source, budget(limits));
        SourceSample idle = probe.measure();
        clock.advance(Duration.ofMillis(1_200));

        SourceSample busy = probe.measureBusy(idle);

        assertThat(busy.busyBytesPerSecond().orElseThrow()).isCloseTo(idle.best(), withinPercentage(5));
        assertThat(source.bytes()).isLessThanOrEqualTo(limits.bytesMax());
    }

    /** The sample of a job that chooses its strategy has no time for a reserve. */
    @Test
    void aShortSampleOfAFarSourceFindsItsRate() throws IOException {
        double rate = 100 * MBIT;
        ModelledSource source = new ModelledSource(clock, Duration.ofMillis(84), rate, rate);
        source.windows(14_600);
        SampleLimits limits = new SampleLimits(Duration.ofSeconds(3), 16 << 20, 150);

        SourceSample sample = new SourceProbe(source, budget(limits)).measure();

        assertThat(sample.best()).isCloseTo(rate, withinPercentage(5));
        assertThat(sample.rates()).hasSizeGreaterThan(1);
    }

    @Test
    void readsNoMoreOfASmallDataSetThanItsLimits() throws IOException {
        ModelledSource source = new ModelledSource(clock, Duration.ofMillis(1), 1e9, 1e9);
        SampleLimits limits = SampleLimits.DEFAULT.ofDataSet(3_000_000);

        new SourceProbe(source, budget(limits)).measure();

        assertThat(limits.bytesMax()).isEqualTo(1 << 20);
        assertThat(source.bytes()).isLessThanOrEqualTo(limits.bytesMax());
    }

    @Test
    void makesNoMoreRequestsThanItsLimits() throws IOException {
        ModelledSource source = new ModelledSource(clock, Duration.ofMillis(1), 1e6, 1e6);

        SourceSample sample =
                new SourceProbe(source, budget(new SampleLimits(Duration.ofSeconds(10), 64 << 20, 12))).measure();

        assertThat(source.requests()).isLessThanOrEqualTo(12);
        assertThat(sample.rates()).isNotEmpty();
    }

    /** 6 kB/s: the first 64 KiB do not arrive within half of the time. */
    @Test
    void reportsASourceThatSendsTooLittle() {
        ModelledSource source = new ModelledSource(clock, Duration.ofMillis(1), 6e3, 6e3);
        SourceProbe probe = new SourceProbe(source, budget(SampleLimits.DEFAULT));

        assertThatThrownBy(probe::measure).isInstanceOf(IOException.class).hasMessageContaining("model:source");
    }

    @Test
    void refusesLimitsWithoutRoom() {
        assertThatThrownBy(() -> new SampleLimits(Duration.ZERO, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SampleLimits(Duration.ofSeconds(1), 0, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** The fastest round loses nothing, and its rate comes from a division. */
    @Test
    void neverLosesLessThanNothing() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++) {
            double seconds = random.nextDouble(1e-9, 1e-3);
            long bytes = random.nextLong(1, 1 << 20);

            assertThat(SourceProbe.lostSeconds(seconds, bytes, bytes / seconds)).isGreaterThanOrEqualTo(0);
        }
        assertThat(SourceProbe.lostSeconds(3, 100, 50)).isEqualTo(1);
    }
}
