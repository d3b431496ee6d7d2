package io.chimera.bench.stages;

import static io.chimera.bench.report.MarkdownTable.ALLOCATED;
import static io.chimera.bench.report.MarkdownTable.RATE;
import static io.chimera.bench.report.MarkdownTable.TIME;
import static io.chimera.bench.report.MarkdownTable.TO;

import io.chimera.bench.report.Findings;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Turns measurements of stages into a report. */
final class StageReport {
    private static final double NS_PER_S = 1e9;

    private final List<BenchStage> stages;
    private final Map<String, StageMeasurement> measurements;

    StageReport(List<BenchStage> stages, List<StageMeasurement> measurements) {
        this.stages = stages;
        this.measurements =
                measurements.stream().collect(Collectors.toMap(StageMeasurement::stage, Function.identity()));
    }

    Report report(Machine machine) {
        Findings findings = new Findings();
        for (BenchStage stage : stages) {
            StageMeasurement seen = measurements.get(stage.name());
            findings.figure(stage.name() + RATE, Rounding.to(0, NS_PER_S / seen.nsPerPoint()));
            findings.figure(stage.name() + TIME, Rounding.to(1, seen.nsPerPoint()));
            findings.figure(stage.name() + ALLOCATED, Rounding.to(1, seen.allocatedBytes()));
            if (stage.limit() != null) {
                double limitNs = measurements.get(stage.limit()).nsPerPoint();
                findings.ratio(stage.name() + TO + stage.limit(), Rounding.to(2, seen.nsPerPoint() / limitNs));
            }
        }
        setGoals(findings);
        return findings.report("bench stages", machine);
    }

    private static void setGoals(Findings findings) {
        findings.atLeast("parse_346" + RATE, "5000000");
        // the profiler also counts allocations of JMH; rounding to a tenth of a byte excludes these allocations
        findings.atMost("parse_346" + ALLOCATED, "0");
        findings.atMost("wire_encode" + TIME, "250");
        findings.atLeast("channel" + RATE, "4300000");
        findings.atLeast("fold" + RATE, "6000000");
        findings.atLeast("fold_off_heap" + RATE, "3000000");
        // 0.8 times the rate of the limit is 1.25 times its time
        findings.atMost("journal" + TO + "file_write", "1.25");
        findings.atMost("journal_tmpfs" + TO + "file_write_tmpfs", "1.25");
        findings.atMost("channel" + TO + "socket_copy", "1.25");
    }
}
