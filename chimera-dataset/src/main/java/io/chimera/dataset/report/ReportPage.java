package io.chimera.dataset.report;

import io.chimera.dataset.copy.CopyTotals;
import io.chimera.dataset.job.ChosenStrategy;
import io.chimera.dataset.job.JobProgress;
import io.chimera.dataset.meter.MeteredSource;
import io.chimera.dataset.meter.RateHistory;
import io.chimera.dataset.meter.WorkerMeter;
import io.chimera.dataset.plan.Quantities;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A report as an HTML page with plots; the page needs no network and no scripts. */
final class ReportPage {
    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>%1$s</title>
            <style>body{font:14px sans-serif;margin:2em;color:#222}table{border-collapse:collapse;margin:1em 0}\
            td,th{border:1px solid #ccc;padding:4px 10px;text-align:right}td:first-child,th:first-child{text-align:left}\
            </style></head><body>
            <h1>%1$s</h1>
            """;
    private static final double BYTES_PER_MB = 1e6;
    private static final double NS_PER_SECOND = 1e9;
    private static final double PERCENT = 100;

    private final JobReport report;
    private final StringBuilder page = new StringBuilder();

    private ReportPage(JobReport report) {
        this.report = report;
    }

    /** Returns the page. */
    static String write(JobReport report) {
        ReportPage page = new ReportPage(report);
        page.page.append(HEAD.formatted(HtmlText.escape("Job " + report.job())));
        page.summary();
        page.plots();
        page.sources();
        page.workers();
        page.choices();
        page.copies();
        return page.page.append("</body></html>\n").toString();
    }

    private void summary() {
        if (!report.failure().isEmpty()) {
            page.append("<p><b>Ended early:</b> ")
                    .append(HtmlText.escape(report.failure()))
                    .append("</p>\n");
        }
        JobProgress.Snapshot end = report.progress();
        table(
                List.of("figure", "value"),
                List.of(
                        List.of("time", Quantities.duration(report.seconds())),
                        List.of("cost", Quantities.money(report.cost(), report.currency())),
                        List.of("data set", Quantities.bytes(end.bytes())),
                        List.of("splits computed", end.splitsComputed() + " of " + end.splits()),
                        List.of("splits skipped", Integer.toString(end.splitsSkipped())),
                        List.of("points", Long.toString(end.points())),
                        List.of("events rejected", Long.toString(end.rejected())),
                        List.of("windows stored", end.windowsStored() + " of " + end.windows()),
                        List.of("rows stored", Long.toString(end.rows())),
                        List.of("rows left out", Long.toString(end.rowsLeftOut())),
                        List.of("failed reads", Long.toString(report.failures()))));
    }

    private void plots() {
        page.append(new LinePlot("Data rate over time", "MB/s")
                .add("received", rates(point -> point.received() / BYTES_PER_MB))
                .add("computed", rates(point -> point.computed() / BYTES_PER_MB))
                .svg());
        page.append(new LinePlot("Share of the workers' time", "%")
                .add("computing", shares(RateHistory.Point::computingSeconds))
                .add("waiting for bytes", shares(RateHistory.Point::waitingSeconds))
                .svg());
    }

    /** Returns the growth per second between neighbouring points. */
    private List<double[]> rates(ToDoubleFunction<RateHistory.Point> amount) {
        List<double[]> rates = new ArrayList<>();
        for (int i = 1; i < report.course().size(); i++) {
            RateHistory.Point before = report.course().get(i - 1);
            RateHistory.Point point = report.course().get(i);
            double seconds = point.seconds() - before.seconds();
            double growth = Math.max(0, amount.applyAsDouble(point) - amount.applyAsDouble(before));
            rates.add(new double[] {point.seconds(), seconds > 0 ? growth / seconds : 0});
        }
        return rates;
    }

    /** Returns shares of computing and waiting since the start: splits under way count when they end. */
    private List<double[]> shares(ToDoubleFunction<RateHistory.Point> part) {
        List<double[]> shares = new ArrayList<>();
        for (RateHistory.Point point : report.course()) {
            double whole = point.computingSeconds() + point.waitingSeconds();
            if (whole > 0) {
                shares.add(new double[] {point.seconds(), PERCENT * part.applyAsDouble(point) / whole});
            }
        }
        return shares;
    }

    private void sources() {
        List<List<String>> rows = new ArrayList<>();
        for (MeteredSource.Totals source : report.sources()) {
            double seconds = source.busyNs() / NS_PER_SECOND;
            rows.add(List.of(
                    source.place(),
                    Quantities.bytes(source.bytes()),
                    Long.toString(source.reads()),
                    Long.toString(source.failures()),
                    seconds > 0 ? Quantities.rate(source.bytes() / seconds) : "-"));
        }
        table(List.of("source", "received", "reads", "failed reads", "rate while reading"), rows);
    }

    private void workers() {
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < report.workers().size(); i++) {
            WorkerMeter.Totals worker = report.workers().get(i);
            boolean hasTimes = worker.computingNs() + worker.waitingNs() > 0;
            rows.add(List.of(
                    "worker " + (i + 1),
                    Integer.toString(worker.splits()),
                    Quantities.bytes(worker.bytes()),
                    Long.toString(worker.points()),
                    hasTimes ? String.format(Locale.ROOT, "%.1f s", worker.computingNs() / NS_PER_SECOND) : "-",
                    hasTimes ? String.format(Locale.ROOT, "%.1f s", worker.waitingNs() / NS_PER_SECOND) : "-"));
        }
        table(List.of("worker", "splits", "bytes", "points", "computing", "waiting for bytes"), rows);
    }

    private void choices() {
        List<List<String>> rows = new ArrayList<>();
        for (ChosenStrategy choice : report.choices()) {
            rows.add(List.of(
                    choice.strategy().label(),
                    Integer.toString(choice.afterSplits()),
                    String.join(" ", choice.reasons())));
        }
        table(List.of("strategy", "from split", "reasons"), rows);
    }

    private void copies() {
        CopyTotals copies = report.copies();
        if (copies.equals(CopyTotals.NONE)) {
            return;
        }
        double seconds = copies.writingNs() / NS_PER_SECOND;
        table(
                List.of("copies", "value"),
                List.of(
                        List.of("read from copies", Quantities.bytes(copies.readBytes())),
                        List.of("copied", Quantities.bytes(copies.writtenBytes())),
                        List.of(
                                "rate while copying",
                                seconds > 0 ? Quantities.rate(copies.writtenBytes() / seconds) : "-"),
                        List.of("not copied", Quantities.bytes(copies.notKeptBytes()) + " " + copies.trouble()),
                        List.of("damaged blocks", Long.toString(copies.damagedBlocks()))));
    }

    private void table(List<String> head, List<List<String>> rows) {
        page.append("<table>\n");
        row("th", head);
        rows.forEach(row -> row("td", row));
        page.append("</table>\n");
    }

    private void row(String cell, List<String> texts) {
        page.append("<tr>");
        for (String text : texts) {
            page.append('<').append(cell).append('>').append(HtmlText.escape(text));
            page.append("</").append(cell).append('>');
        }
        page.append("</tr>\n");
    }
}
