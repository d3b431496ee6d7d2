package io.chimera.bench.table;

import io.chimera.bench.capture.CaptureTable;
import io.chimera.bench.latency.LatencyTable;
import io.chimera.bench.peers.PeersTable;
import io.chimera.bench.report.MarkdownTable;
import io.chimera.bench.report.Report;
import io.chimera.bench.scale.ScaleTable;
import io.chimera.bench.trending.TrendingTable;
import io.chimera.bench.voip.VoipTable;
import java.util.List;

/**
 * A report as Markdown, in the form that its command has.
 *
 * @param table its tables, with a line end behind each line
 * @param plots its plots; none where there is nothing to plot
 */
record ReportText(String table, List<String> plots) {
    static ReportText of(Report report) {
        if (PeersTable.isFor(report)) {
            PeersTable table = new PeersTable(report);
            return new ReportText(table.text(), table.plots());
        }
        if (LatencyTable.isFor(report)) {
            LatencyTable table = new LatencyTable(report);
            return new ReportText(table.text(), table.plots());
        }
        if (ScaleTable.isFor(report)) {
            ScaleTable table = new ScaleTable(report);
            return new ReportText(table.text(), table.plots());
        }
        if (TrendingTable.isFor(report)) {
            TrendingTable table = new TrendingTable(report);
            return new ReportText(table.text(), table.plots());
        }
        if (VoipTable.isFor(report)) {
            VoipTable table = new VoipTable(report);
            return new ReportText(table.text(), table.plots());
        }
        if (CaptureTable.isFor(report)) {
            CaptureTable table = new CaptureTable(report);
            return new ReportText(table.text(), table.plots());
        }
        MarkdownTable table = new MarkdownTable(report);
        return new ReportText(table.text(), table.plots());
    }

    /** Tables, then plots. */
    String text() {
        return plots.isEmpty() ? table : table + "\n" + String.join("\n", plots) + "\n";
    }
}
