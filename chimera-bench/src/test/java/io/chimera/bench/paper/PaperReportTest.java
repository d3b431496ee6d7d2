package io.chimera.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.paper.disk.MemoryPeak;
import io.chimera.bench.paper.disk.SaturatedDisk;
import io.chimera.bench.paper.disk.Saturation;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PaperReportTest {
    private static final Machine MACHINE =
            new Machine(2, "cpu", 1 << 30, "17", "Linux", null, null, null, null, "2024-01-01T00:00:00Z", "command");

    @Test
    void figuresArePerCore() {
        Report report = report(5, 0);

        assertThat(report.figures().get("ring_bulk_10000_points_per_s")).isEqualByComparingTo("17200000");
        assertThat(report.figures().get("ring_bulk_10000_points_per_core_s")).isEqualByComparingTo("8600000");
        assertThat(report.ratios().get("ring_bulk_10000_to_paper")).isEqualByComparingTo("2");
        assertThat(report.figures().get("journal_disk_bulk_10000_mb_per_s")).isEqualByComparingTo("230");
        assertThat(report.ratios().get("journal_disk_bulk_10000_mb_to_paper")).isEqualByComparingTo("2");
        assertThat(report.figures().get("saturated_cycle_1000000_step_503_per_s_12"))
                .isEqualByComparingTo("3");
        assertThat(Report.ofJson(report.json())).isEqualTo(report);
    }

    @Test
    void aSaturatedNodeRefusesRequestsAndLosesNothing() {
        assertThat(report(5, 0)
                        .goals()
                        .get("saturated_cycle_1000000_answers_503")
                        .met())
                .isTrue();
        assertThat(report(5, 0)
                        .goals()
                        .get("saturated_cycle_1000000_lost_points")
                        .met())
                .isTrue();
        assertThat(report(5, 0)
                        .goals()
                        .get("saturated_cycle_1000000_late_to_early")
                        .met())
                .isTrue();
        assertThat(report(0, 0)
                        .goals()
                        .get("saturated_cycle_1000000_answers_503")
                        .met())
                .isFalse();
        assertThat(report(5, 1)
                        .goals()
                        .get("saturated_cycle_1000000_lost_points")
                        .met())
                .isFalse();
    }

    @Test
    void theTableHasThePapersFigureInEachRow() {
        PaperTable table = new PaperTable(report(5, 0));

        assertThat(PaperTable.isFor(report(5, 0))).isTrue();
        assertThat(table.text())
                .contains("| ring_bulk_10000 | Figure 5a | in memory | 4,300,000 | 1 | 4,300,000 | 17,200,000 | 2.00 |"
                        + " 8,600,000 | 2.00 |\n")
                .contains("| inbound, local | 6 / – | 4.3 / 8.6 | 4.3 / 8.6 | 4.3 / – | 0.9 / – | 0.9 / – |\n")
                .contains("| journal_disk_bulk_10000 | 115 | 230.0 | 2.00 |\n")
                .contains("| saturated_cycle_1000000 | 5 | 0 | 2 | 1.00 | 1.00 | 1.00 | 3 | 4 |\n")
                .contains("| saturated_cycle_1000000_answers_503 | 1 | 5 | yes |\n");
    }

    @Test
    void eachMeasuredFigureHasAPlot() {
        assertThat(new PaperTable(report(5, 0)).plots())
                .filteredOn("xychart-beta"::equals)
                .hasSize(4);
        assertThat(new PaperTable(new PaperReport(new PaperResults()).report(MACHINE)).plots())
                .isEmpty();
    }

    private static Report report(long refused, long lost) {
        PaperResults results = new PaperResults();
        add(results, "ring_bulk_10000", 17_200_000, 2, 0);
        add(results, "journal_tmpfs_bulk_10000", 8_600_000, 1, 100);
        add(results, "journal_disk_bulk_10000", 2_300_000, 1, 100);
        List<Double> rates = Collections.nCopies(SaturatedDisk.STEPS, 500_000.0);
        List<Double> answers = Collections.nCopies(SaturatedDisk.STEPS, 3.0);
        results.add(new Saturation(
                1_000_000,
                115e6,
                500_000,
                0.5,
                100e6,
                115e6,
                refused,
                lost,
                rates,
                answers,
                List.of(2.0, 2.0),
                new MemoryPeak(3_000_000, 4_000_000)));
        return new PaperReport(results).report(MACHINE);
    }

    private static void add(PaperResults results, String name, double rate, double cores, double bytes) {
        PaperRow row = PaperCatalog.rows().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        results.add(new PaperMeasurement(row, rate, cores, bytes));
    }
}
