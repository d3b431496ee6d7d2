package io.chimera.bench.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.report.Goal;
import io.chimera.bench.report.Report;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StageReportTest {

    @Test
    void reportsRateTimeAllocationAndTheRatioToTheLimit() {
        Report report =
                report(new StageMeasurement("copy", 40, 0.0004, 40), new StageMeasurement("parse_346", 150, 0.01, 150));

        assertThat(report.figures())
                .containsEntry("parse_346_points_per_s", new BigDecimal("6666667"))
                .containsEntry("parse_346_ns", new BigDecimal("150.0"))
                .containsEntry("parse_346_allocated_bytes", new BigDecimal("0.0"))
                .containsEntry("copy_points_per_s", new BigDecimal("25000000"));
        assertThat(report.ratios()).containsOnlyKeys("parse_346_to_copy").containsValue(new BigDecimal("3.75"));
    }

    @Test
    void setsWhatWasSeenBesideTheGoals() {
        Report good =
                report(new StageMeasurement("copy", 40, 0, 40), new StageMeasurement("parse_346", 150, 0.01, 150));
        Report bad =
                report(new StageMeasurement("copy", 40, 0, 40), new StageMeasurement("parse_346", 1_000, 16, 1_000));

        assertThat(good.goals()).containsOnlyKeys("parse_346_points_per_s", "parse_346_allocated_bytes");
        assertThat(good.goals().values()).allMatch(Goal::met);
        assertThat(bad.goals().values()).noneMatch(Goal::met);
        assertThat(bad.goals().get("parse_346_points_per_s"))
                .isEqualTo(new Goal(new BigDecimal("5000000"), new BigDecimal("1000000"), false));
    }

    private static Report report(StageMeasurement... measurements) {
        List<BenchStage> stages =
                List.of(BenchStage.of("copy", "Copy.copy", null), BenchStage.of("parse_346", "Parser.parse", "copy"));
        return new StageReport(stages, List.of(measurements)).report(null);
    }
}
