package io.chimera.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class LatencyReportTest {
    private static final Machine MACHINE =
            new Machine(2, "cpu", 1 << 30, "17", "Linux", null, null, null, null, "2024-01-01T00:00:00Z", "command");

    @Test
    void figuresAreNamedForSyncAndLoad() {
        Report report = report(1_500, 104_000);

        assertThat(report.name()).isEqualTo("bench latency");
        assertThat(report.figures())
                .containsKeys(
                        "max_none_points_per_s",
                        "ack_none_50_p50_us",
                        "ack_none_50_p99_us",
                        "ack_none_50_p999_us",
                        "ack_none_50_max_us",
                        "ack_interval_50_p99_us");
        assertThat(report.figures().get("cycle_50_p50_ms")).isEqualByComparingTo("30");
        assertThat(report.figures().get("cycle_50_p99_ms")).isEqualByComparingTo("50");
        assertThat(report.figures().get("gc_none_50_max_ms")).isEqualByComparingTo("9.3");
        assertThat(report.figures().get("gc_none_50_count")).isEqualByComparingTo("2");
        assertThat(report.figures().get("gc_none_90_max_ms")).isEqualByComparingTo("0");
        assertThat(report.figures().get("cycle_50_count")).isEqualByComparingTo("3");
        assertThat(Report.ofJson(report.json())).isEqualTo(report);
    }

    @Test
    void goalsAreThoseOfHalfLoad() {
        assertThat(report(1_500, 104_000).goals())
                .containsOnlyKeys("ack_none_50_p99_us", "ack_interval_50_p99_us", "gc_none_50_max_ms")
                .allSatisfy((name, goal) -> assertThat(goal.met()).isTrue());
        assertThat(report(2_500, 106_000).goals())
                .allSatisfy((name, goal) -> assertThat(goal.met()).isEqualTo(name.startsWith("gc_")));
    }

    @Test
    void theTableHasARowForEachSyncAndLoadAndThePlotsOneForEachSync() {
        LatencyTable table = new LatencyTable(report(1_500, 104_000));

        assertThat(LatencyTable.isFor(report(1, 1))).isTrue();
        assertThat(table.text())
                .contains("| none | 50 % | 100,000 | 1,500 | 1,500 | 1,500 | 1,500 | 1 |\n")
                .contains("| none | 90 % | – |")
                .contains("| sync of a plain file | 50 % | – | 700 | 700 | 700 | 700 | 1 |\n")
                .contains("| 50 % | 30 | 50 | 3 |\n")
                .contains("| ack_none_50_p99_us | 2,000 | 1,500 | yes |\n");
        assertThat(table.plots()).filteredOn("xychart-beta"::equals).hasSize(2);
    }

    private static Report report(long noneMicros, long intervalMicros) {
        LatencyResults results = new LatencyResults();
        results.addMaximum(Sync.NONE, 200_000);
        results.add(new Acknowledged(Sync.NONE, 50, 100_000, waits(noneMicros)));
        results.add(new Acknowledged(Sync.INTERVAL, 50, 100_000, waits(intervalMicros)));
        results.addPauses(Sync.NONE, 50, List.of(9.26, 1.5));
        results.addPauses(Sync.NONE, 90, List.of());
        results.addDisk(waits(700));
        results.addCycles(50, List.of(50L, 30L));
        results.addCycles(50, List.of(20L));
        return new LatencyReport(results).report(MACHINE);
    }

    private static Histogram waits(long micros) {
        Histogram waits = new Histogram(5);
        waits.recordValue(TimeUnit.MICROSECONDS.toNanos(micros));
        return waits;
    }
}
