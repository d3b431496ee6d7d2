package io.chimera.dataset.plan;

import static io.chimera.dataset.plan.PlanSamples.rate;
import static io.chimera.dataset.plan.PlanSamples.source;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

final class SourceSampleTest {
    private static final OptionalDouble NONE = OptionalDouble.empty();
    private static final long MEMORY = 64L << 20;
    private static final long SPLIT = 64L << 20;

    private static SourceSample with(double... rates) {
        List<ConnectionRate> measured = new ArrayList<>();
        for (int i = 0; i < rates.length; i++) {
            measured.add(new ConnectionRate(1 << i, rates[i]));
        }
        return new SourceSample("http://source", Duration.ofMillis(84), measured, NONE, NONE);
    }

    /** 125 MB/s × 84 ms = 10.5 MB on the way; 2 MiB ranges; 1 + 6 = 7 ranges. */
    @Test
    void readAheadCoversTheRoundTrip() {
        RangePlan ranges = RangePlan.plan(source(125e6, 84, NONE), 125e6, MEMORY, SPLIT);

        assertThat(ranges.rangeBytes()).isEqualTo(2L << 20);
        assertThat(ranges.ranges()).isEqualTo(7);
        assertThat(ranges.bytesPerSecond()).isEqualTo(125e6);
    }

    /** A sample that needs 4 connections for the rate has 4 ranges being received: 4 + 6. */
    @Test
    void readAheadHasTheConnectionsOfTheBestRate() {
        RangePlan ranges = RangePlan.plan(with(40e6, 80e6, 125e6, 125e6), 125e6, MEMORY, SPLIT);

        assertThat(ranges.ranges()).isEqualTo(10);
        assertThat(ranges.ranges() * ranges.rangeBytes()).isLessThanOrEqualTo(MEMORY);
    }

    @Test
    void readAheadWithoutRoundTripIsASingleRange() {
        RangePlan ranges = RangePlan.plan(source(125e6, 0, NONE), 125e6, MEMORY, SPLIT);

        assertThat(ranges.ranges()).isEqualTo(1);
        assertThat(ranges.bytesPerSecond()).isEqualTo(125e6);
    }

    /** 1 range of 125 kB: 125 kB / (84 ms + 1 ms) = 1.47 MB/s, as the application of the paper. */
    @Test
    void smallMemoryBoundsTheRate() {
        RangePlan ranges = RangePlan.plan(source(125e6, 84, NONE), 125e6, 125_000, SPLIT);

        assertThat(ranges.ranges()).isEqualTo(1);
        assertThat(ranges.rangeBytes()).isEqualTo(125_000);
        assertThat(ranges.bytesPerSecond()).isCloseTo(1.47e6, withinPercentage(0.1));
    }

    /** 256 KiB hold 4 ranges of 64 KiB; 8 connections give the rate, 4 connections half of the rate. */
    @Test
    void fewerRangesThanConnectionsReachTheRateOfFewerConnections() {
        RangePlan ranges = RangePlan.plan(with(1e6, 2e6, 4e6, 8e6), 8e6, 256L << 10, SPLIT);

        assertThat(ranges.ranges()).isEqualTo(4);
        assertThat(ranges.bytesPerSecond()).isCloseTo(262_144 / (0.084 + 262_144 / 4e6), withinPercentage(0.1));
    }

    @Test
    void interpolatesBetweenSampledConnections() {
        SourceSample sample = with(1e6, 2e6, 4e6, 4e6);

        assertThat(sample.rateOf(1)).isEqualTo(1e6, within(1.0));
        assertThat(sample.rateOf(3)).isEqualTo(3e6, within(1.0));
        assertThat(sample.rateOf(64)).isEqualTo(4e6, within(1.0));
        assertThat(sample.connectionsFor(4e6)).isEqualTo(4);
        assertThat(sample.connectionsFor(1.5e6)).isEqualTo(2);
    }

    @Test
    void flatRateIsTheLimitOfTheSource() {
        assertThat(with(10e6, 10e6, 10e6).capacity(8, NONE)).isEqualTo(10e6);
    }

    @Test
    void risingRateAndFullLinkAreNotTheLimitOfTheSource() {
        assertThat(with(1e6, 2e6, 4e6).isRising()).isTrue();
        assertThat(with(1e6, 2e6, 4e6).capacity(8, NONE)).isEqualTo(32e6);
        assertThat(with(10e6, 10e6).capacity(8, rate(10e6))).isEqualTo(80e6);
    }

    @Test
    void refusesSamplesWithoutRates() {
        assertThatThrownBy(SourceSampleTest::with)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("http://source");
        assertThatThrownBy(() -> with(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    }
}
