package io.chimera.common.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class PrometheusTextTest {
    private enum Counted implements CounterDescriptor {
        POINTS_IN,
        POINTS_REJECTED;

        @Override
        public MetricText text() {
            return new MetricText("parser", name().toLowerCase(Locale.ROOT), "Counts " + name() + ".");
        }
    }

    private enum Measured implements GaugeDescriptor {
        JOURNAL_BYTES;

        @Override
        public MetricText text() {
            return new MetricText("journal", "size_bytes", "Bytes on disk.");
        }
    }

    private final Metrics first = new Metrics("q1");
    private final Metrics second = new Metrics("p1");
    private final PrometheusText text = new PrometheusText(List.of(first, second));

    @Test
    void writesCountersOfAllComponentsUnderOneName() {
        Counters<Counted> influx = new Counters<>(Counted.class);
        Counters<Counted> kairos = new Counters<>(Counted.class);
        first.register("influx", influx);
        first.register("kairos", kairos);
        influx.add(Counted.POINTS_IN, 9_007_199_254_740_993L / 1_000);
        kairos.increment(Counted.POINTS_REJECTED);

        assertThat(written()).isEqualTo("""
            # HELP chimera_parser_points_in_total Counts POINTS_IN.
            # TYPE chimera_parser_points_in_total counter
            chimera_parser_points_in_total{component="influx",node="q1"} 9.00719925474E12
            chimera_parser_points_in_total{component="kairos",node="q1"} 0.0
            # HELP chimera_parser_points_rejected_total Counts POINTS_REJECTED.
            # TYPE chimera_parser_points_rejected_total counter
            chimera_parser_points_rejected_total{component="influx",node="q1"} 0.0
            chimera_parser_points_rejected_total{component="kairos",node="q1"} 1.0
            """);
    }

    @Test
    void labelsTheMetricsOfALane() {
        for (int lane = 0; lane < 2; lane++) {
            int value = lane;
            first.lane(lane).register("processor", Measured.JOURNAL_BYTES, () -> value);
        }
        first.register("volume", Measured.JOURNAL_BYTES, () -> 7);

        assertThat(written()).isEqualTo("""
            # HELP chimera_journal_size_bytes Bytes on disk.
            # TYPE chimera_journal_size_bytes gauge
            chimera_journal_size_bytes{component="processor",lane="0",node="q1"} 0.0
            chimera_journal_size_bytes{component="processor",lane="1",node="q1"} 1.0
            chimera_journal_size_bytes{component="volume",node="q1"} 7.0
            """);
    }

    @Test
    void writesGaugesOfAllNodes() {
        first.register("journal", Measured.JOURNAL_BYTES, () -> 17);
        second.register("journal", Measured.JOURNAL_BYTES, () -> 0.5);

        assertThat(written()).isEqualTo("""
            # HELP chimera_journal_size_bytes Bytes on disk.
            # TYPE chimera_journal_size_bytes gauge
            chimera_journal_size_bytes{component="journal",node="p1"} 0.5
            chimera_journal_size_bytes{component="journal",node="q1"} 17.0
            """);
    }

    @Test
    void losesNothingToOneGaugeThatFails() {
        first.register("a", Measured.JOURNAL_BYTES, () -> {
            throw new IllegalStateException("closed");
        });
        first.register("b", Measured.JOURNAL_BYTES, () -> 1);

        assertThat(written()).contains("component=\"b\"").doesNotContain("component=\"a\"");
    }

    @Test
    void forgetsWhatIsClosed() {
        Metrics.Registration counters = first.register("influx", new Counters<>(Counted.class));
        Metrics.Registration gauge = first.register("journal", Measured.JOURNAL_BYTES, () -> 1);

        counters.close();
        gauge.close();

        assertThat(written()).isEmpty();
    }

    @Test
    void showsTheJavaMachine() {
        JvmGauge.registerAll(first);

        assertThat(written().lines().filter(line -> !line.startsWith("#")))
                .hasSize(JvmGauge.values().length)
                .allMatch(line -> line.matches("chimera_jvm_[a-z_]+\\{component=\"jvm\",node=\"q1\"} [0-9.E]+"));
    }

    private String written() {
        return new String(text.bytes(), StandardCharsets.UTF_8);
    }
}
