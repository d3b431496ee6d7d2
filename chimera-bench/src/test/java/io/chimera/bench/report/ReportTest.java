package io.chimera.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ReportTest {

    private static final Machine MACHINE = new Machine(
            2,
            "Some Processor",
            24L << 30,
            "17.0.15 (Maker)",
            "Linux 6.1 amd64",
            new BigDecimal("0.25"),
            new BigDecimal("1.10"),
            new BigDecimal("0.03"),
            "0123456789ab",
            "2026-01-02T03:04:05Z",
            "./chimera bench stages");

    @Test
    void isOneLineOfJsonInTheAgreedForm() {
        assertThat(report().json())
                .isEqualTo("{\"name\":\"bench stages\","
                        + "\"figures\":{\"copy_points_per_s\":20000000,\"copy_ns\":50.0,\"copy_allocated_bytes\":0.0,"
                        + "\"parse_points_per_s\":1600000,\"parse_ns\":625.0,\"parse_allocated_bytes\":0.0},"
                        + "\"ratios\":{\"parse_to_copy\":12.50},"
                        + "\"goals\":{\"parse_points_per_s\":{\"goal\":1500000,\"seen\":1600000,\"met\":true}},"
                        + "\"machine\":{\"cpus\":2,\"model\":\"Some Processor\",\"memory_bytes\":25769803776,"
                        + "\"jdk\":\"17.0.15 (Maker)\",\"os\":\"Linux 6.1 amd64\",\"load_start\":0.25,\"load_end\":1.10,"
                        + "\"busy_others\":0.03,\"commit\":\"0123456789ab\",\"date\":\"2026-01-02T03:04:05Z\","
                        + "\"command\":\"./chimera bench stages\"}}");
    }

    @Test
    void readsWhatItWrote() {
        assertThat(Report.ofJson(report().json())).isEqualTo(report());
        assertThatThrownBy(() -> Report.ofJson("Benchmark started"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Not the JSON object of a report");
    }

    @Test
    void becomesATableWithARowPerStageAndGoal() {
        assertThat(new MarkdownTable(report()).text().lines())
                .containsExactly(
                        "| stage | points/s | ns/point | B/point allocated | times its limit |",
                        "|---|---:|---:|---:|---|",
                        "| copy | 20,000,000 | 50.0 | 0.0 | – |",
                        "| parse | 1,600,000 | 625.0 | 0.0 | 12.50 × copy |",
                        "",
                        "| goal | wanted | seen | met |",
                        "|---|---:|---:|---|",
                        "| parse_points_per_s | 1,500,000 | 1,600,000 | yes |",
                        "",
                        "Commit `0123456789ab`, `./chimera bench stages`, 2026-01-02T03:04:05Z, 2 × Some Processor, 24 GiB, "
                                + "JDK 17.0.15 (Maker), Linux 6.1 amd64. Load average 0.25 before and 1.10 after; "
                                + "others took 0.03 of the processors.");
    }

    @Test
    void namesFiguresThatCouldNotBeMeasured() {
        Findings findings = new Findings();
        findings.leftOut("fold_to_other", "other is not installed");
        Report report = findings.report("bench stages", MACHINE);

        assertThat(report.json()).contains("\"left_out\":{\"fold_to_other\":\"other is not installed\"}");
        assertThat(Report.ofJson(report.json())).isEqualTo(report);
        assertThat(new MarkdownTable(report).text()).contains("| fold_to_other | other is not installed |\n");
    }

    @Test
    void goalIsMetAtTheFigureItself() {
        BigDecimal goal = BigDecimal.valueOf(250);

        assertThat(Goal.atMost(goal, new BigDecimal("250.0")).met()).isTrue();
        assertThat(Goal.atMost(goal, new BigDecimal("250.1")).met()).isFalse();
        assertThat(Goal.atLeast(goal, new BigDecimal("250")).met()).isTrue();
        assertThat(Goal.atLeast(goal, new BigDecimal("249")).met()).isFalse();
    }

    private static Report report() {
        Map<String, BigDecimal> figures = new LinkedHashMap<>();
        for (String figure : List.of(
                "copy_points_per_s 20000000",
                "copy_ns 50.0",
                "copy_allocated_bytes 0.0",
                "parse_points_per_s 1600000",
                "parse_ns 625.0",
                "parse_allocated_bytes 0.0")) {
            int space = figure.indexOf(' ');
            figures.put(figure.substring(0, space), new BigDecimal(figure.substring(space + 1)));
        }
        return new Report(
                "bench stages",
                figures,
                Map.of("parse_to_copy", new BigDecimal("12.50")),
                Map.of(
                        "parse_points_per_s",
                        Goal.atLeast(BigDecimal.valueOf(1_500_000), BigDecimal.valueOf(1_600_000))),
                Map.of(),
                MACHINE);
    }
}
