package io.chimera.bench.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TlsReportTest {
    private static final Machine MACHINE =
            new Machine(2, "cpu", 1 << 30, "17", "Linux", null, null, null, null, "2024-01-01T00:00:00Z", "command");

    @Test
    void ratiosAreOfPassesThatRanNextToEachOther() {
        Map<Protection, List<Double>> rates = new EnumMap<>(Protection.class);
        rates.put(Protection.NONE, List.of(1_000.0, 2_000.0, 4_000.0));
        rates.put(Protection.NODES, List.of(900.0, 1_800.0, 3_600.0));
        rates.put(Protection.INPUTS, List.of(800.0, 1_600.0, 3_200.0));
        rates.put(Protection.ALL, List.of(600.0, 1_000.0, 2_400.0));

        Report report = TlsReport.of(rates, MACHINE);

        assertThat(report.figures().get("none_points_per_cpu_s")).isEqualByComparingTo("2000");
        assertThat(report.ratios().get("nodes_to_none")).isEqualByComparingTo("0.9");
        assertThat(report.ratios().get("all_to_none")).isEqualByComparingTo("0.6");
        assertThat(report.goals().get("all_to_none").met()).isFalse();
        assertThat(TlsReport.table(report)).contains("| inputs | 1,600 | 0.80 |\n");
        assertThat(TlsReport.isFor(Report.ofJson(report.json()))).isTrue();
    }
}
