package io.chimera.bench.table;

import io.chimera.bench.archive.ArchiveTable;
import io.chimera.bench.capture.CaptureTable;
import io.chimera.bench.datasets.DatasetsTable;
import io.chimera.bench.latency.LatencyTable;
import io.chimera.bench.paper.PaperTable;
import io.chimera.bench.peers.EngineFigures;
import io.chimera.bench.peers.EnginesTable;
import io.chimera.bench.peers.PeersReport;
import io.chimera.bench.report.MarkdownTable;
import io.chimera.bench.report.Report;
import io.chimera.bench.scale.ScaleTable;
import io.chimera.bench.scale.quota.QuotaTable;
import io.chimera.bench.tls.TlsReport;
import io.chimera.bench.trending.TrendingReport;
import io.chimera.bench.voip.VoipReport;
import java.util.List;

/**
 * A report as Markdown, in the format of its command.
 *
 * @param table its tables, each line with a line end
 * @param plots its plots; empty if none
 */
record ReportText(String table, List<String> plots) {
    private static final List<EngineFigures> ENGINES =
            List.of(PeersReport.FIGURES, TrendingReport.FIGURES, VoipReport.FIGURES);

    static ReportText of(Report report) {
        for (EngineFigures figures : ENGINES) {
            if (figures.isFor(report)) {
                EnginesTable table = new EnginesTable(figures, report);
                return new ReportText(table.text(), table.plots());
            }
        }
        if (LatencyTable.isFor(report)) {
            LatencyTable table = new LatencyTable(report);
            return new ReportText(table.text(), table.plots());
        }
        if (ScaleTable.isFor(report)) {
            ScaleTable table = new ScaleTable(report);
            return new ReportText(table.text(), table.plots());
        }
        if (QuotaTable.isFor(report)) {
            QuotaTable table = new QuotaTable(report);
            return new ReportText(table.text(), table.plots());
        }
        if (TlsReport.isFor(report)) {
            return new ReportText(TlsReport.table(report), List.of());
        }
        if (CaptureTable.isFor(report)) {
            CaptureTable table = new CaptureTable(report);
            return new ReportText(table.text(), table.plots());
        }
        if (ArchiveTable.isFor(report)) {
            ArchiveTable table = new ArchiveTable(report);
            return new ReportText(table.text(), table.plots());
        }
        if (PaperTable.isFor(report)) {
            PaperTable table = new PaperTable(report);
            return new ReportText(table.text(), table.plots());
        }
        if (DatasetsTable.isFor(report)) {
            DatasetsTable table = new DatasetsTable(report);
            return new ReportText(table.text(), table.plots());
        }
        MarkdownTable table = new MarkdownTable(report);
        return new ReportText(table.text(), table.plots());
    }

    /** Returns tables, then plots. */
    String text() {
        return plots.isEmpty() ? table : table + "\n" + String.join("\n", plots) + "\n";
    }
}
