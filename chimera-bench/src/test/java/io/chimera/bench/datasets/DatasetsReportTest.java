package io.chimera.bench.datasets;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DatasetsReportTest {
    private static final Machine MACHINE =
            new Machine(2, "cpu", 1 << 30, "17", "Linux", null, null, null, null, "2024-01-01T00:00:00Z", "command");

    private final DatasetsResults results = new DatasetsResults();

    @Test
    void ratiosAreMediansOfTheRoundsWithTheirSpread() {
        results.figure("stream_84ms_100mbit_mb_per_s", List.of(10.0, 12.0, 11.0));
        results.ratio("stream_84ms_to_0ms", List.of(9.0, 8.0, 10.0), List.of(10.0, 10.0, 10.0));
        Report report = report();

        assertThat(report.figures().get("stream_84ms_100mbit_mb_per_s")).isEqualByComparingTo("11");
        assertThat(report.ratios().get("stream_84ms_to_0ms")).isEqualByComparingTo("0.9");
        assertThat(report.figures().get("stream_84ms_to_0ms_spread")).isEqualByComparingTo("0.22");
        assertThat(report.goals().get("stream_84ms_to_0ms").met()).isFalse();
        assertThat(Report.ofJson(report.json())).isEqualTo(report);
    }

    @Test
    void aSingleMeasurementHasNoSpread() {
        results.ratio("workers_4_to_1_far", List.of(0.95), List.of(1.0));
        Report report = report();

        assertThat(report.figures()).doesNotContainKey("workers_4_to_1_far_spread");
        assertThat(new DatasetsTable(report).text()).contains("| workers_4_to_1_far | 0.95 | one round |\n");
    }

    @Test
    void theShareOfClosePredictionsIsAFigure() {
        results.ratio("cost_model_a_stream", List.of(1.16), List.of(1.0));
        results.ratio("cost_model_b_stream", List.of(0.86), List.of(1.0));

        assertThat(report().figures().get("cost_model_close_share")).isEqualByComparingTo("0.5");
        assertThat(report().goals().get("cost_model_close_share").met()).isFalse();
    }

    @Test
    void autoMayTakeATenthMoreThanTheBest() {
        results.ratio("auto_to_best_a", List.of(1.1), List.of(1.0));
        results.ratio("auto_to_best_b", List.of(1.2), List.of(1.0));
        results.ratio("auto_to_best_c", List.of(0.9), List.of(1.0));
        Report report = report();

        assertThat(report.goals().get("auto_to_best_a").met()).isTrue();
        assertThat(report.goals().get("auto_to_best_b").met()).isFalse();
        assertThat(report.figures().get("auto_to_best_wins")).isEqualByComparingTo("1");
        assertThat(report.goals()).doesNotContainKey("auto_to_best_wins");
    }

    @Test
    void copiesAndKilledJobsHaveMaxima() {
        results.ratio("copy_to_curl_1_84ms_100mbit", List.of(1.1), List.of(1.0));
        results.ratio("kill_overhead", List.of(1.2), List.of(1.0));

        assertThat(report().goals().get("copy_to_curl_1_84ms_100mbit").met()).isFalse();
        assertThat(report().goals().get("kill_overhead").met()).isTrue();
    }

    @Test
    void missingFiguresHaveReasonsAndNoGoals() {
        results.leaveOut("sources_4_to_1", "one source only");
        Report report = report();

        assertThat(report.leftOut()).containsEntry("sources_4_to_1", "one source only");
        assertThat(report.goals()).isEmpty();
        assertThat(new DatasetsTable(report).text()).contains("| sources_4_to_1 | one source only |\n");
    }

    @Test
    void theTableHasRatiosFiguresAndAPlot() {
        results.figure("84ms_100mbit_light_stream_s", List.of(4.0));
        results.ratio("kill_overhead", List.of(1.2, 1.3), List.of(1.0, 1.0));
        DatasetsTable table = new DatasetsTable(report());

        assertThat(DatasetsTable.isFor(report())).isTrue();
        assertThat(table.text())
                .contains("| kill_overhead | 1.25 | 0.08 |\n")
                .contains("| 84ms_100mbit_light_stream_s | 4.00 |\n");
        assertThat(table.plots()).contains("    bar [4.00]");
    }

    @Test
    void peersWorkersAndFiguresOfThePaperHaveGoals() {
        results.ratio("stream_to_columnar", List.of(0.6), List.of(1.0));
        results.ratio("kill_overhead_cluster", List.of(1.2), List.of(1.0));
        results.ratio("workers_4_to_1_sources_2", List.of(0.95), List.of(1.0));
        results.ratio("workers_4_to_1_sources_1", List.of(0.5), List.of(1.0));
        results.ratio("workers_to_threads_4", List.of(0.8), List.of(1.0));
        results.ratio("figure2_copy_to_stream_16", List.of(1.2), List.of(1.0));
        results.ratio("figure4_copy_busy_to_idle", List.of(0.3), List.of(1.0));
        Report report = report();

        assertThat(report.goals().get("stream_to_columnar").met()).isFalse();
        assertThat(report.goals().get("kill_overhead_cluster").met()).isTrue();
        assertThat(report.goals().get("workers_4_to_1_sources_2").met()).isTrue();
        assertThat(report.goals()).doesNotContainKey("workers_4_to_1_sources_1");
        assertThat(report.goals().get("workers_to_threads_4").met()).isFalse();
        assertThat(report.goals().get("figure2_copy_to_stream_16").met()).isFalse();
        assertThat(report.goals().get("figure4_copy_busy_to_idle").met()).isTrue();
    }

    @Test
    void theTableHasTheValuesOfThePaper() {
        assertThat(new DatasetsTable(report()).text()).doesNotContain("paper");

        results.figure("threads_1_sources_1_mb_per_s", List.of(0.25));
        results.figure("threads_64_sources_1_mb_per_s", List.of(0.12));
        results.figure("threads_64_sources_2_mb_per_s", List.of(0.24));
        results.ratio("threads_64_to_1_sources_1", List.of(0.12), List.of(0.25));
        DatasetsTable table = new DatasetsTable(report());

        assertThat(table.text()).contains("permits 0.625 | 0.5 | 0.48 | threads_64_to_1_sources_1 |\n");
        assertThat(table.plots()).contains("    bar [0.25, 0.12]").contains("    bar [0.12, 0.24]");
    }

    private Report report() {
        return new DatasetsReport(results).report(MACHINE);
    }
}
