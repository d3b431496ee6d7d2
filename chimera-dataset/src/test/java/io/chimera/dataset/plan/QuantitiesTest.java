package io.chimera.dataset.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class QuantitiesTest {
    @Test
    void formatsDurations() {
        assertThat(Quantities.duration(0)).isEqualTo("0 s");
        assertThat(Quantities.duration(0.084)).isEqualTo("84.0 ms");
        assertThat(Quantities.duration(1)).isEqualTo("1.00 s");
        assertThat(Quantities.duration(119)).isEqualTo("119 s");
        assertThat(Quantities.duration(2500)).isEqualTo("41.7 min");
        assertThat(Quantities.duration(86_400)).isEqualTo("24.0 h");
        assertThat(Quantities.duration(30 * 86_400.0)).isEqualTo("30.0 d");
        assertThat(Quantities.duration(-40)).isEqualTo("-40.0 s");
        assertThat(Quantities.duration(Double.POSITIVE_INFINITY)).isEqualTo("forever");
    }

    @Test
    void formatsBytesAndRates() {
        assertThat(Quantities.bytes(0)).isEqualTo("0 B");
        assertThat(Quantities.bytes(999)).isEqualTo("999 B");
        assertThat(Quantities.bytes(999_900)).isEqualTo("1.00 MB");
        assertThat(Quantities.bytes(1_500_000_000L)).isEqualTo("1.50 GB");
        assertThat(Quantities.bytes(Long.MAX_VALUE)).isEqualTo("9.22 EB");
        assertThat(Quantities.rate(12.5e6)).isEqualTo("12.5 MB/s");
        assertThat(Quantities.rate(Double.POSITIVE_INFINITY)).isEqualTo("no limit");
    }

    @Test
    void formatsMoneyAndShares() {
        assertThat(Quantities.money(1.333, "USD")).isEqualTo("1.33 USD");
        assertThat(Quantities.money(0.0123, "EUR")).isEqualTo("0.0123 EUR");
        assertThat(Quantities.money(0, "USD")).isEqualTo("0.00 USD");
        assertThat(Quantities.percent(0.8)).isEqualTo("80 %");
    }
}
