package io.chimera.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

final class XyChartTest {
    @Test
    void isABlockOfMermaid() {
        XyChart chart = new XyChart("Waits \"now\"", "load", List.of("10 %", "50 %"), "ms")
                .bars(List.of(new BigDecimal("1.5"), BigDecimal.TEN))
                .line(List.of(BigDecimal.ONE, new BigDecimal("12.25")));

        assertThat(chart.block())
                .containsExactly(
                        "```mermaid",
                        "xychart-beta",
                        "    title \"Waits 'now'\"",
                        "    x-axis \"load\" [\"10 %\", \"50 %\"]",
                        "    y-axis \"ms\" 0 --> 12.25",
                        "    bar [1.5, 10]",
                        "    line [1, 12.25]",
                        "```");
    }
}
