package io.chimera.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.report.Goal;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

final class ScaleReportTest {
    private static final Machine MACHINE =
            new Machine(2, "cpu", 1 << 30, "17", "Linux", null, null, null, null, "2024-01-01T00:00:00Z", "command");

    @Test
    void nodesHaveRatesAndCurvesHaveCosts() {
        Report report = report(3);

        assertThat(report.name()).isEqualTo("bench scale");
        assertThat(report.figures().get("processors_1_points_per_cpu_s")).isEqualByComparingTo("500000");
        assertThat(report.figures().get("processors_1_points_per_s")).isEqualByComparingTo("250000");
        assertThat(report.figures().get("series_1000_ns")).isEqualByComparingTo("1000");
        assertThat(report.ratios().get("processors_4_to_1")).isEqualByComparingTo("1.25");
        assertThat(report.ratios().get("series_1000000_to_1000")).isEqualByComparingTo("3");
        assertThat(report.ratios()).doesNotContainKey("series_100_to_1000");
        assertThat(Report.ofJson(report.json())).isEqualTo(report);
    }

    @Test
    void aMillionSeriesMayCostTwiceWhatAThousandDo() {
        assertThat(report(2).goals())
                .containsOnlyKeys("series_1000000_to_1000")
                .containsValue(new Goal(BigDecimal.valueOf(2), new BigDecimal("2.00"), true));
        assertThat(report(3).goals().get("series_1000000_to_1000").met()).isFalse();
    }

    @Test
    void thereIsATableAndAPlotForEachOfWhatGrew() {
        ScaleTable table = new ScaleTable(report(2));

        assertThat(table.text())
                .contains("| 1 | 1 | 500,000 | 250,000 | – |\n")
                .contains("| 1 | 4 | 400,000 | 500,000 | 1.25 |\n")
                .contains("| series | 100 | 900 | – |\n")
                .contains("| series | 1,000,000 | 2,000 | 2.00 |\n");
        assertThat(table.plots())
                .contains("    title \"Rate with more processors\"")
                .contains("    bar [250000, 500000]")
                .contains("    title \"Cost of a point with more series\"")
                .contains("    line [900, 1000, 2000]")
                .contains("    y-axis \"ns of processor time per point\" 0 --> 2000");
    }

    private static Report report(double secondsOfAMillionSeries) {
        ScaleResults results = new ScaleResults();
        results.add(Axis.PROCESSORS, 1, new ClusterCost(1_000_000, 2, 4));
        results.add(Axis.PROCESSORS, 4, new ClusterCost(1_000_000, 2.5, 2));
        results.add(Axis.SERIES, 100, new ClusterCost(1_000_000, 0.9, 1));
        results.add(Axis.SERIES, 1_000, new ClusterCost(1_000_000, 1, 1));
        results.add(Axis.SERIES, 1_000_000, new ClusterCost(1_000_000, secondsOfAMillionSeries, 1));
        return new ScaleReport(results).report(MACHINE);
    }
}
