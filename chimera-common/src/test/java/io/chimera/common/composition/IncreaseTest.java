package io.chimera.common.composition;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.wire.HistogramBytes;
import io.chimera.common.wire.PointBytes;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The block {@code increase}. */
final class IncreaseTest {
    private static final long S = 1_000_000_000L;

    private CompositionRig rig;

    private void rig(String settings) {
        rig = new CompositionRig("""
                partitions: 1
                output: [i, i.late]
                blocks:
                  i: { type: increase%s }
                """.formatted(settings), false);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private void give(long seconds, Object total) {
        rig.give(new PointBytes("m").tag("host", "a").field("total", total).time(seconds * S), 0);
    }

    private List<Object> deltas() {
        return rig.left.stream()
                .map(text -> (Object) text.replaceAll(".*\\{delta=|\\}\\d+@0", ""))
                .toList();
    }

    @Test
    void emitsWhatACounterGrewBy() {
        rig("");
        give(1, 10L);
        give(2, 10L);
        give(3, 17L);
        give(4, 3L); // the sender began again
        give(5, Long.MAX_VALUE);

        assertThat(rig.left)
                .containsExactly(
                        "m{host=a}{delta=0}2000000000@0",
                        "m{host=a}{delta=7}3000000000@0",
                        "m{host=a}{delta=3}4000000000@0",
                        "m{host=a}{delta=9223372036854775804}5000000000@0");
    }

    @Test
    void numbersOfOtherTypesGiveDoubles() {
        rig("");
        give(1, 1.5);
        give(2, 4.0);
        give(3, 5L);
        give(4, new BigInteger("18446744073709551615"));
        give(5, "text");
        give(6, 2.5);

        assertThat(deltas()).containsExactly("2.5", "1.0", "1.8446744073709552E19", "2.5");
    }

    @Test
    void seriesAreApartAndOtherFieldsPass() {
        rig(", first: value");
        rig.give(new PointBytes("m").field("total", 1L).field("v", 2.0).time(S), 0);
        rig.give(new PointBytes("m").tag("host", "a").field("total", 5L).time(S), 0);
        rig.give(new PointBytes("n").field("total", 9L).time(S), 0);
        rig.give(new PointBytes("n").field("other", 9L).time(S), 0);
        rig.give(new PointBytes("m").field("total", 3L).field("v", 4.0).time(2 * S), 0);

        assertThat(rig.left)
                .containsExactly(
                        "m{}{delta=1, v=2.0}1000000000@0",
                        "m{host=a}{delta=5}1000000000@0",
                        "n{}{delta=9}1000000000@0",
                        "n{}{other=9}1000000000@0",
                        "m{}{delta=2, v=4.0}2000000000@0");
    }

    @Test
    void aLaterStartIsAReset() {
        rig(", first: zero");
        for (long[] step : new long[][] {{1, 5, 100}, {2, 8, 100}, {3, 9, 200}, {4, 12, 200}, {5, 13, 150}}) {
            rig.give(
                    new PointBytes("m")
                            .field("total", step[1])
                            .field("start_ms", step[2])
                            .time(step[0] * S),
                    0);
        }

        assertThat(deltas()).containsExactly("0", "3", "9", "3", "1");
    }

    @Test
    void latePointsLeaveUnchanged() {
        rig("");
        give(5, 10L);
        give(4, 8L);
        give(5, 10L); // sent again
        give(6, 12L);

        assertThat(rig.left)
                .containsExactly(
                        "m{host=a}{total=8}4000000000@0",
                        "m{host=a}{total=10}5000000000@0",
                        "m{host=a}{delta=2}6000000000@0");
    }

    @Test
    void aSeriesBeginsAgainAfterTheStaleness() {
        rig(", staleness: 60s");
        give(1, 10L);
        give(61, 11L);
        give(122, 20L);
        give(130, 21L);
        rig.composition.endCycle(200 * S);
        give(201, 30L);
        give(202, 32L);

        assertThat(deltas()).containsExactly("1", "1", "2");
    }

    @Test
    void emitsWhatAHistogramGrewBy() {
        rig("");
        histogram(1, HistogramBytes.exponential(3, 1, 2, 300));
        histogram(2, HistogramBytes.exponential(3, 1, 2, 2, 300, -5, 0));
        histogram(3, HistogramBytes.exponential(2, 1, 2, 2, 300, 301, -5, 0)); // a smaller scale
        histogram(4, HistogramBytes.exponential(2, 7)); // the sender began again

        assertThat(rig.left)
                .containsExactly(
                        text(2, "count=3, sum=-3.0, min=NaN, max=NaN, scale=3"),
                        text(3, "count=1, sum=301.0, min=NaN, max=NaN, scale=2"),
                        text(4, "count=1, sum=7.0, min=7.0, max=7.0, scale=2"));
    }

    @Test
    void emitsWhatAHistogramWithBoundsGrewBy() {
        rig("");
        histogram(1, HistogramBytes.explicit(new double[] {1, 2}, 0.5));
        histogram(2, HistogramBytes.explicit(new double[] {1, 2}, 0.5, 1.5, 9));
        histogram(3, HistogramBytes.explicit(new double[] {1, 3}, 0.5, 1.5, 9, 9)); // other bounds

        assertThat(rig.left)
                .containsExactly(
                        text(2, "count=2, sum=10.5, min=NaN, max=NaN, bounds=2"),
                        text(3, "count=4, sum=20.0, min=0.5, max=9.0, bounds=2"));
    }

    /** Points of an outage arrive late, and their series stays known while they arrive. */
    @Test
    void oldPointsOfSeveralCyclesAreOneSeries() {
        rig(", staleness: 60s");
        give(1, 10L);
        rig.composition.endCycle(10_000 * S);
        give(2, 12L);
        rig.composition.endCycle(10_010 * S);
        give(3, 15L);
        rig.composition.endCycle(10_020 * S);
        rig.composition.endCycle(10_090 * S); // no point for more than the staleness
        give(4, 20L);

        assertThat(deltas()).containsExactly("2", "3");
    }

    /** A sender with a wrong clock costs its series a new beginning, and nothing more. */
    @Test
    void aPointFarInTheFutureDoesNotMakeAllOthersLate() {
        rig(", staleness: 60s");
        give(100, 10L);
        give(1_000_000, 11L);
        give(110, 12L);
        give(120, 15L);

        assertThat(deltas()).containsExactly("3");
    }

    @Test
    void anIncreaseThatIsNoNumberLeavesTheOtherFields() {
        rig("");
        rig.give(new PointBytes("m").field("total", -1.7e308).field("v", 1L).time(S), 0);
        rig.give(new PointBytes("m").field("total", 1.7e308).field("v", 2L).time(2 * S), 0);
        rig.give(new PointBytes("n").field("total", Long.MIN_VALUE).time(S), 0);
        rig.give(new PointBytes("n").field("total", Long.MAX_VALUE).time(2 * S), 0);

        assertThat(rig.left)
                .containsExactly(
                        "m{}{v=1}1000000000@0", "m{}{v=2}2000000000@0", "n{}{delta=9223372036854775807}2000000000@0");
    }

    @Test
    void histogramsFarApartNeedNoMemoryForTheGap() {
        rig("");
        histogram(1, HistogramBytes.exponential(20, 1e300));
        histogram(2, HistogramBytes.exponential(20, 1e-300));
        histogram(3, HistogramBytes.exponential(20, 1e300));

        assertThat(rig.faults).isEmpty();
        assertThat(rig.left).hasSize(2).allMatch(left -> left.contains("count=1,"));
    }

    private void histogram(long seconds, byte[] bytes) {
        rig.give(new PointBytes("m").field("histogram_total", bytes).time(seconds * S), 0);
    }

    private static String text(long seconds, String histogram) {
        return "m{}" + Map.of("histogram", "histogram(" + histogram + ")") + seconds * S + "@0";
    }
}
