package io.chimera.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.report.Goal;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PeersReportTest {
    private static final Machine MACHINE =
            new Machine(2, "cpu", 1 << 30, "17", "Linux", null, null, null, null, "2024-01-01T00:00:00Z", "command");

    private static final EngineMeasurement CHIMERA =
            new EngineMeasurement("chimera", 3_000_000, 1.0, 0.25, 2.0, 400_000_000);
    private static final EngineMeasurement FLINK =
            new EngineMeasurement("flink", 3_000_000, 6.5, 0, 3.0, 1_000_000_000);
    private static final EngineMeasurement KAFKA =
            new EngineMeasurement("kafka_streams", 3_000_000, 25, 5, 15, 2_000_000_000L);

    @Test
    void ratiosArePointsPerCpuSecondOfChimeraToThoseOfThePeer() {
        Report report = report(CHIMERA, FLINK, KAFKA);

        assertThat(report.figures().get("chimera_points_per_cpu_s")).isEqualByComparingTo("3000000");
        assertThat(report.figures().get("chimera_points_per_s")).isEqualByComparingTo("1500000");
        assertThat(report.figures().get("flink_rss_mb")).isEqualByComparingTo("1000");
        assertThat(report.ratios().get("flink")).isEqualByComparingTo("6.5");
        assertThat(report.ratios().get("flink_with_feeder")).isEqualByComparingTo("5.2");
        assertThat(report.ratios().get("kafka_streams")).isEqualByComparingTo("25");
        assertThat(report.ratios().get("kafka_streams_with_feeder")).isEqualByComparingTo("24");
    }

    @Test
    void memoryIsThatOfChimeraToThatOfFlinkAndHasToBeSmall() {
        Report report = report(CHIMERA, FLINK);

        assertThat(report.ratios().get("flink_rss")).isEqualByComparingTo("0.4");
        assertThat(report.goals().get("flink_rss")).isEqualTo(goal("0.5", "0.40", true));
    }

    @Test
    void goalsAreThoseOfTheEnginesThatRan() {
        Report report = report(CHIMERA, FLINK, KAFKA);

        assertThat(report.goals()).containsOnlyKeys("flink", "flink_rss", "kafka_streams");
        assertThat(report.goals().get("flink")).isEqualTo(goal("6", "6.50", true));
        assertThat(report.goals().get("kafka_streams")).isEqualTo(goal("30", "25.00", false));
    }

    @Test
    void isWrittenAndReadInTheOneForm() {
        Report report = report(CHIMERA, FLINK);

        assertThat(Report.ofJson(report.json())).isEqualTo(report);
        assertThat(report.json())
                .startsWith("{\"name\":\"bench peers\",\"figures\":{\"chimera_points_per_cpu_s\":3000000,");
    }

    @Test
    void theTableHasARowForEachEngineAndTheGoals() {
        Report report = report(CHIMERA, FLINK);

        assertThat(PeersReport.FIGURES.isFor(report)).isTrue();
        assertThat(new EnginesTable(PeersReport.FIGURES, report).text())
                .contains("| chimera | 3,000,000 | 1,500,000 | 1.00 | 0.25 | 400 | – |\n")
                .contains("| flink | 461,538 | 1,000,000 | 6.50 | 0.00 | 1,000 | 6.50 |\n")
                .contains("| flink | 6 | 6.50 | yes |\n");
    }

    private static Report report(EngineMeasurement... measurements) {
        return new PeersReport(List.of(measurements)).report(MACHINE);
    }

    private static Goal goal(String goal, String seen, boolean met) {
        return new Goal(new BigDecimal(goal), new BigDecimal(seen), met);
    }
}
