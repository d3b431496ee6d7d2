package io.chimera.bench.archive.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.archive.ArchiveTable;
import io.chimera.bench.report.Findings;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DiskFiguresTest {
    private static final Machine MACHINE =
            new Machine(2, "cpu", 1 << 30, "17", "Linux", null, null, null, null, "2024-01-01T00:00:00Z", "command");

    private final DiskResults results = new DiskResults();

    @Test
    void ratiosAreNamedAsGoalsAre() {
        results.add(pace("capped_store", 390, 372));
        results.add(pace("capped_xfs_buffered", 380, 20));
        results.add(pace("capped_xfs_ranged", 399, 300));
        results.add(pace("uncapped_store", 1_900, 1_500));
        results.add(pace("uncapped_raw", 2_000, 1_600));
        results.add("uncapped_fio", 2_100);
        results.add(pace("utilisation_0", 390, 372));
        results.add(pace("utilisation_90", 312, 300));
        Findings figures = DiskFigures.of(results);

        assertThat(figures.figures().get("capped_store_mib_per_s")).isEqualByComparingTo("390");
        assertThat(figures.figures().get("uncapped_fio_mib_per_s")).isEqualByComparingTo("2100");
        assertThat(figures.ratios().get("cap_mean")).isEqualByComparingTo("0.98");
        assertThat(figures.ratios().get("worst_over_mean")).isEqualByComparingTo("0.95");
        assertThat(figures.ratios().get("xfs_worst")).isEqualByComparingTo("18.6");
        assertThat(figures.ratios().get("xfs_ranged_worst")).isEqualByComparingTo("1.24");
        assertThat(figures.ratios().get("uncapped_raw_mean")).isEqualByComparingTo("0.95");
        assertThat(figures.ratios().get("utilisation_90_loss")).isEqualByComparingTo("0.2");
        assertThat(figures.goals().get("utilisation_90_loss").met()).isFalse();
        assertThat(figures.goals().get("xfs_worst").met()).isTrue();
        assertThat(figures.ratios()).doesNotContainKeys("utilisation_70_loss", "reads_loss", "zones_worst");
    }

    @Test
    void ofSeveralMeasurementsTheMiddleOneCounts() {
        for (int mean : List.of(300, 100, 200)) {
            results.add(pace("uncapped_store", mean, mean));
            results.add("uncapped_fio", 2 * mean);
        }
        Findings figures = DiskFigures.of(results);
        assertThat(figures.figures().get("uncapped_store_mib_per_s")).isEqualByComparingTo("200");
        assertThat(figures.ratios().get("uncapped_fio_mean")).isEqualByComparingTo("0.5");
    }

    @Test
    void whatStandsStillIsTakenForOneMebibyteASecond() {
        results.add(pace("capped_store", 390, 372));
        results.add(pace("capped_xfs_buffered", 380, 0));
        assertThat(DiskFigures.of(results).ratios().get("xfs_worst")).isEqualByComparingTo("372");
    }

    @Test
    void balancedZonesAreMeasuredByTheirWorstAndTheirBestSecond() {
        results.add(new Pace("zones_front_to_end", 300, 210, 205, 395, 1));
        results.add(new Pace("zones_in_turn", 300, 294, 280, 303, 1));
        Findings figures = DiskFigures.of(results);
        assertThat(figures.ratios().get("zones_worst")).isEqualByComparingTo("1.4");
        assertThat(figures.ratios().get("zones_variation")).isEqualByComparingTo("0.03");
        assertThat(figures.goals().values())
                .allSatisfy(goal -> assertThat(goal.met()).isTrue());
    }

    @Test
    void theTableHasARowForEachWhoWrote() {
        results.add(pace("capped_store", 390, 372));
        results.add("capped_fio", 400);
        Findings figures = DiskFigures.of(results);
        Report report = figures.report("bench archive", MACHINE);
        ArchiveTable table = new ArchiveTable(report);

        assertThat(ArchiveTable.isFor(report)).isTrue();
        assertThat(table.text())
                .contains("| capped_store | 390 | 372 | 371 | 9.0 |\n")
                .contains("| capped_fio | 400 | – | – | – |\n")
                .contains("| cap_mean | 0.98 |\n")
                .contains("| cap_mean | 0.95 | 0.98 | yes |\n");
        assertThat(table.plots()).contains("xychart-beta");
        assertThat(Report.ofJson(report.json())).isEqualTo(report);
    }

    private static Pace pace(String who, double mean, double worst) {
        return new Pace(who, mean, worst, worst - 1, mean, 9);
    }
}
