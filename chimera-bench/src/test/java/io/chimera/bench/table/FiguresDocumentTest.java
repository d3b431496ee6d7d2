package io.chimera.bench.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.bench.report.Goal;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FiguresDocumentTest {
    private static final String REPORT =
            "{\"name\":\"bench stages\",\"figures\":{\"parse_points_per_s\":7},\"ratios\":{},"
                    + "\"goals\":{},\"machine\":{\"cpus\":1,\"memory_bytes\":1}}\n";

    private static final String BEGIN =
            "<!-- plot \"Stages, one thread\" of stages.json, written by ./chimera bench table --docs -->\n";
    private static final String END = "<!-- end of plot -->\n";

    /** Surefire sets the folder of the module; other runners start in the folder. */
    private static final Path DOCS =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolveSibling("docs");

    @TempDir
    private Path folder;

    @Test
    void figuresInTheDocumentsEqualTheReports() throws IOException {
        for (Map.Entry<Path, String> file : new FiguresDocument(DOCS).expected().entrySet()) {
            assertThat(file.getKey())
                    .as("out of date; rewrite it with: ./chimera bench table --docs")
                    .hasContent(file.getValue());
        }
    }

    @Test
    void everyMissedGoalHasALineOnThePerformancePage() throws IOException {
        String page = Files.readString(DOCS.resolve("performance.md"));

        for (Path file : new FiguresDocument(DOCS).reports()) {
            Report report = ReportFile.read(file);
            String subject = report.name().replace("bench ", "");
            report.goals().forEach((name, goal) -> {
                if (!goal.met()) {
                    assertThat(page.lines())
                            .as("%s of %s, measured %s", name, file, seen(goal))
                            .anyMatch(line -> line.startsWith("| " + subject + " | `" + name + "` |")
                                    && line.contains(seen(goal)));
                }
            });
        }
    }

    private static String seen(Goal goal) {
        return Rounding.text(goal.seen());
    }

    @Test
    void writesAPageForEachReportAndThePlots() throws IOException {
        write("Before.\n" + BEGIN + "old\n" + END + "After.\n");
        Files.writeString(folder.resolve("benchmarks/stages.json"), REPORT);
        FiguresDocument document = new FiguresDocument(folder);

        document.write();

        assertThat(folder.resolve("benchmarks/stages.md"))
                .content()
                .contains("# bench stages\n")
                .contains("(stages.json)")
                .contains("| parse | 7 | ? | ? | – |");
        assertThat(folder.resolve("performance.md"))
                .content()
                .startsWith("Before.\n" + BEGIN + "```mermaid\n")
                .contains("    bar [7]\n```\n" + END)
                .doesNotContain("old")
                .endsWith(END + "After.\n");
        assertThat(document.expected())
                .allSatisfy((file, text) -> assertThat(file).hasContent(text));
    }

    @Test
    void namesAFileWithoutAReport() throws IOException {
        write("");
        Files.writeString(folder.resolve("benchmarks/peers.json"), "nothing\n");

        assertThatThrownBy(() -> new FiguresDocument(folder).expected())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("peers.json: Not the JSON object of a report");
    }

    @Test
    void namesAPlotMissingInItsReport() throws IOException {
        write(BEGIN.replace("Stages", "Other") + END);
        Files.writeString(folder.resolve("benchmarks/stages.json"), REPORT);

        assertThatThrownBy(() -> new FiguresDocument(folder).write())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has no plot \"Other, one thread\"");
    }

    private void write(String text) throws IOException {
        Files.createDirectories(folder.resolve("benchmarks"));
        Files.writeString(folder.resolve("performance.md"), text);
    }
}
