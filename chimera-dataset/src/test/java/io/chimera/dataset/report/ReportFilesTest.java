package io.chimera.dataset.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chimera.dataset.copy.CopyTotals;
import io.chimera.dataset.job.ChosenStrategy;
import io.chimera.dataset.job.JobPhase;
import io.chimera.dataset.job.JobProgress;
import io.chimera.dataset.meter.MeteredSource;
import io.chimera.dataset.meter.RateHistory;
import io.chimera.dataset.meter.WorkerMeter;
import io.chimera.dataset.plan.Strategy;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

final class ReportFilesTest {
    @TempDir
    Path folder;

    private static JobReport report(String failure) {
        return new JobReport(
                "nightly",
                failure,
                4,
                0.25,
                "EUR",
                new JobProgress.Snapshot(JobPhase.DONE, 2, 2, 4_000_000, 4_000_000, 100, 3, 1, 1, 10, 0, 0),
                List.of(new MeteredSource.Totals("http://a/<b>", 4_000_000, 4, 1, 2_000_000_000L)),
                List.of(new WorkerMeter.Totals(2, 4_000_000, 0, 100, 1_000_000_000L, 3_000_000_000L)),
                List.of(new ChosenStrategy(0, Strategy.STREAM, List.of("a < b"))),
                new CopyTotals(1, 2_000_000, 1_000_000_000L, 3, 4, "no room"),
                List.of(
                        new RateHistory.Point(0, 0, 0, 0, 0),
                        new RateHistory.Point(2, 4_000_000, 1_000_000, 0.5, 1),
                        new RateHistory.Point(4, 4_000_000, 4_000_000, 1, 3)));
    }

    @Test
    void writesTheFigures() throws IOException {
        ReportFiles.write(report(""), folder);

        JsonNode json =
                new ObjectMapper().readTree(folder.resolve("report.json").toFile());
        assertThat(json.path("progress").path("rejected").asLong()).isEqualTo(3);
        assertThat(json.path("sources").get(0).path("failures").asLong()).isEqualTo(1);
        assertThat(json.path("workers").get(0).path("waiting_ns").asLong()).isEqualTo(3_000_000_000L);
        assertThat(json.path("course")).hasSize(3);
        assertThat(json.path("choices").get(0).path("strategy").asText()).isEqualTo("STREAM");
        assertThat(json.path("copies").path("written_bytes").asLong()).isEqualTo(2_000_000);
        try (var files = Files.list(folder)) {
            Set<String> names = files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
            assertThat(names).containsExactlyInAnyOrder("report.json", "report.html");
        }
    }

    @Test
    void theFailureAndThePlacesCannotInjectMarkup() throws IOException {
        String page = Files.readString(ReportFiles.write(report("<script>x</script>"), folder));

        assertThat(page)
                .contains("&lt;script&gt;", "http://a/&lt;b&gt;", "a &lt; b", "no room")
                .doesNotContain("<script>");
    }

    /** Received: 2 MB/s in the first two seconds, and nothing afterwards: from the top of the plot to its bottom. */
    @Test
    void plotsTheRatesOverTime() throws Exception {
        String page = Files.readString(ReportFiles.write(report(""), folder));
        int from = page.indexOf("<svg");
        Document plot = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(page.substring(from, page.indexOf("</svg>") + 6))));

        NodeList lines = plot.getElementsByTagName("polyline");
        assertThat(lines.getLength()).isEqualTo(2);
        String[] received = lines.item(0)
                .getAttributes()
                .getNamedItem("points")
                .getNodeValue()
                .split("[ ,]", -1);
        assertThat(Double.parseDouble(received[1])).isEqualTo(40, within(0.1));
        assertThat(Double.parseDouble(received[3])).isEqualTo(255, within(0.1));
    }

    @Test
    void axesEndAtRoundNumbers() {
        assertThat(LinePlot.niceMaximum(0)).isEqualTo(1);
        assertThat(LinePlot.niceMaximum(2)).isEqualTo(2);
        assertThat(LinePlot.niceMaximum(21)).isEqualTo(50);
        assertThat(LinePlot.niceMaximum(0.7)).isEqualTo(1, within(1e-9));
    }
}
