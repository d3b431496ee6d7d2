package io.chimera.bench.trending;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.peers.EngineMeasurement;
import io.chimera.bench.peers.EnginesTable;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TrendingReportTest {
    private static final Machine MACHINE =
            new Machine(2, "cpu", 1 << 30, "17", "Linux", null, null, null, null, "2024-01-01T00:00:00Z", "command");

    private static final EngineMeasurement CHIMERA =
            new EngineMeasurement("chimera", 2_000_000, 2.0, 0.5, 4.0, 900_000_000);
    private static final EngineMeasurement LOOP = new EngineMeasurement("loop", 2_000_000, 8.0, 0, 8.0, 200_000_000);
    private static final EngineMeasurement STORM =
            new EngineMeasurement("storm", 2_000_000, 50.0, 0, 25.0, 1_200_000_000);

    private final Report report = new TrendingReport(List.of(CHIMERA, LOOP, STORM)).report(MACHINE);

    @Test
    void ratiosAreTweetsPerCpuSecondOfChimeraToThoseOfThePeer() {
        assertThat(report.figures().get("chimera_tweets_per_cpu_s")).isEqualByComparingTo("1000000");
        assertThat(report.figures().get("chimera_tweets_per_s")).isEqualByComparingTo("500000");
        assertThat(report.figures().get("storm_rss_mb")).isEqualByComparingTo("1200");
        assertThat(report.ratios().get("loop")).isEqualByComparingTo("4");
        assertThat(report.ratios().get("loop_with_feeder")).isEqualByComparingTo("3.2");
        assertThat(report.ratios().get("storm")).isEqualByComparingTo("25");
    }

    @Test
    void goalsAreThoseOfThePaperAndOfTheLoop() {
        assertThat(report.goals().get("loop").met()).isFalse();
        assertThat(report.goals().get("storm").met()).isTrue();
        assertThat(report.goals()).containsOnlyKeys("loop", "storm");
    }

    @Test
    void withoutChimeraThereIsNothingToCompare() {
        assertThat(new TrendingReport(List.of(LOOP)).report(MACHINE).ratios()).isEmpty();
    }

    @Test
    void theTableHasARowForEachEngineAndAPlotOfEachRate() {
        EnginesTable table = new EnginesTable(TrendingReport.FIGURES, report);

        assertThat(TrendingReport.FIGURES.isFor(report)).isTrue();
        assertThat(table.text()).contains("| storm | 40,000 |").contains("| loop | 250,000 |");
        assertThat(String.join("\n", table.plots()))
                .contains("tweets per CPU-second")
                .contains("tweets per second");
    }
}
