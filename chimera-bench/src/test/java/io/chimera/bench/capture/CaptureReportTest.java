package io.chimera.bench.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

final class CaptureReportTest {
    private static final Machine MACHINE =
            new Machine(2, "cpu", 1 << 30, "17", "Linux", null, null, null, null, "2024-01-01T00:00:00Z", "command");

    private final CaptureResults results = new CaptureResults();

    private void cost(String who, double cpuSeconds, double wallSeconds) {
        results.add(new PacketCost(who, 10_000_000, cpuSeconds, wallSeconds));
    }

    private Report report() {
        return new CaptureReport(results).report(MACHINE);
    }

    @Test
    void ratiosOfFilesArePacketsPerCpuSecondOfOursToThoseOfTheOther() {
        cost(FilePart.CHIMERA, 1, 1.25);
        cost(FilePart.LOOP, 0.75, 0.75);
        cost(FilePart.NFPCAPD, 6, 3);
        cost(FilePart.SOFTFLOWD, 9, 9);

        assertThat(report().figures().get("file_chimera_packets_per_cpu_s")).isEqualByComparingTo("10000000");
        assertThat(report().figures().get("file_chimera_packets_per_s")).isEqualByComparingTo("8000000");
        assertThat(report().figures().get("file_chimera_cpu_ns")).isEqualByComparingTo("100");
        assertThat(report().ratios().get("loop")).isEqualByComparingTo("0.75");
        assertThat(report().ratios().get("nfpcapd")).isEqualByComparingTo("6");
        assertThat(report().ratios().get("softflowd")).isEqualByComparingTo("9");
        assertThat(report().goals().get("loop").met()).isFalse();
        assertThat(report().goals().get("nfpcapd").met()).isTrue();
        assertThat(report().goals().get("softflowd").met()).isFalse();
    }

    @Test
    void besideTcpdumpLosslessRatesAreComparedAndCosts() {
        cost(LivePart.TPACKET, 0.6, 5);
        cost(LivePart.TCPDUMP, 0.5, 4);

        assertThat(report().ratios().get("tcpdump")).isEqualByComparingTo("0.8");
        assertThat(report().ratios().get("tcpdump_cpu")).isEqualByComparingTo("1.2");
        assertThat(report().goals().get("tcpdump").met()).isFalse();
        assertThat(report().goals().get("tcpdump_cpu").met()).isTrue();
    }

    @Test
    void variantsAreComparedByTheTimeThatPassed() {
        cost("variant_queued_pool", 4, 2);
        cost("variant_queued_no_pool", 4, 5);

        assertThat(report().ratios().get("pool_with_queued")).isEqualByComparingTo("2.5");
        assertThat(report().goals().get("pool_with_queued").met()).isTrue();
        assertThat(report().ratios()).doesNotContainKey("pool_with_direct");
    }

    @Test
    void packetsAndRecordsThatWereLostAreGoalsThatWereNotMet() {
        results.add(LivePart.FLOWS_DROPPED, BigDecimal.ONE);
        results.add(IpfixPart.RECEIVED_SHARE, new BigDecimal("99.99"));
        results.add(IpfixPart.SEQUENCE_ERRORS, BigDecimal.ZERO);

        assertThat(report().goals().get("live_flows_dropped_count").met()).isFalse();
        assertThat(report().goals().get("ipfix_received_percent").met()).isFalse();
        assertThat(report().goals().get("ipfix_sequence_errors_count").met()).isTrue();
    }

    @Test
    void whatWasNotMeasuredIsComparedWithNothing() {
        cost(FilePart.CHIMERA, 1, 1);

        assertThat(report().ratios()).isEmpty();
        assertThat(report().goals()).isEmpty();
    }

    @Test
    void theTableHasMeasuredFiguresOnly() {
        results.add(new PacketCost(FilePart.CHIMERA, 14_880_952, 1, 1));
        results.add("file_flows_count", BigDecimal.valueOf(5));
        CaptureTable table = new CaptureTable(report());

        assertThat(CaptureTable.isFor(report())).isTrue();
        assertThat(table.text())
                .contains("| file_chimera | 14,880,952 | 67.2 | 14,880,952 |\n")
                .contains("| file_flows_count | 5 |")
                .doesNotContain("Gb/s");
        assertThat(table.plots())
                .containsOnlyOnce("```mermaid")
                .anyMatch(line -> line.contains("packets per CPU-second"));
    }
}
