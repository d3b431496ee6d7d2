package io.chimera.bench.scale.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class QuotaReportTest {
    private static final Machine MACHINE =
            new Machine(2, "cpu", 1 << 30, "17", "Linux", null, null, null, null, "2024-01-01T00:00:00Z", "command");

    @Test
    void efficiencyIsTheMedianOfTheRatiosWithinARound() {
        Report report = report();

        assertThat(report.figures().get("processors_12_points_per_s")).isEqualByComparingTo("1140");
        assertThat(report.ratios().get("processors_12_efficiency")).isEqualByComparingTo("0.95");
        assertThat(report.ratios().get("processors_12_efficiency_min")).isEqualByComparingTo("0.9");
        assertThat(report.ratios().get("processors_12_efficiency_max")).isEqualByComparingTo("1");
        assertThat(report.goals().get("processors_12_efficiency").met()).isTrue();
        assertThat(report.goals().get("groups_2_efficiency").met()).isFalse();
        assertThat(Report.ofJson(report.json())).isEqualTo(report);
    }

    @Test
    void aWindowHasCostsAndShares() {
        Report report = report();

        assertThat(report.figures().get("processors_1_node_ns")).isEqualByComparingTo("1000000");
        assertThat(report.figures().get("processors_1_quota_used")).isEqualByComparingTo("0.5");
        assertThat(report.figures().get("processors_1_throttled_ms_per_s")).isEqualByComparingTo("300");
        assertThat(report.figures().get("processors_1_other_cores")).isEqualByComparingTo("0.2");
        assertThat(report.figures().get("processors_1_s_per_cycle")).isEqualByComparingTo("2.5");
    }

    @Test
    void aSlowNodeIsComparedWithTheSpeedOfAllNodes() {
        assertThat(report().ratios().get("slow_node")).isEqualByComparingTo("0.5");
    }

    @Test
    void aSingleDoubledPointMissesTheGoal() {
        Report report = report();

        assertThat(report.goals().get("rebalance_lost").met()).isTrue();
        assertThat(report.goals().get("rebalance_doubled").met()).isFalse();
    }

    @Test
    void thereIsATableAndAPlotBesideLinearGrowth() {
        QuotaTable table = new QuotaTable(report());

        assertThat(table.text())
                .contains("Quota of a part: 6.0 % of a core.")
                .contains("| 12 | 1,140 | 0.950 | 0.900, 1.000 |")
                .contains("| rebalance_s | 1.5 |")
                .contains("| slow_node | 0.500 |");
        assertThat(table.plots()).contains("    bar [100, 400, 1140]").contains("    line [100, 400, 1200]");
    }

    @Test
    void aReportOfOtherPartsHasNeitherSlowNodeNorJoin() {
        Round lanes = new Round(
                Map.of(Growth.CORES, new TreeMap<>(Map.of(1, window(1, 100), 2, window(2, 190)))), Optional.empty());

        Report report = QuotaReport.of(6, List.of(lanes), MACHINE);

        assertThat(report.goals().keySet()).containsExactly("cores_2_efficiency");
        assertThat(new QuotaTable(report).text())
                .contains("| 2 | 190 | 0.950")
                .doesNotContain("rebalance", "processor lanes");
    }

    private static Report report() {
        return QuotaReport.of(6, List.of(round(1_080, 0), round(1_140, 0), round(1_200, 1)), MACHINE);
    }

    private static Round round(double rateOfTwelve, long doubled) {
        Map<Growth, SortedMap<Integer, Window>> clusters = new EnumMap<>(Growth.class);
        for (Growth growth : Growth.values()) {
            clusters.put(growth, new TreeMap<>(Map.of(1, window(1, 100), 2, window(2, 150))));
        }
        clusters.put(
                Growth.PROCESSORS,
                new TreeMap<>(Map.of(1, window(1, 100), 4, window(4, 400), 12, window(12, rateOfTwelve))));
        return new Round(clusters, Optional.of(new Round.Change(window(4, 175), new Rebalance(1.5, 2, 1, 0, doubled))));
    }

    private static Window window(int processors, double rate) {
        return new Window(
                processors, 10, Math.round(rate * 10), 4, rate / 100, 2, rate / 50, 3.0 * processors, 0.4, 1.02);
    }
}
