package io.chimera.bench.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FiguresDocumentTest {
    private static final String REPORT =
            "{\"name\":\"bench stages\",\"figures\":{\"parse_points_per_s\":7},\"ratios\":{},"
                    + "\"goals\":{},\"machine\":{\"cpus\":1,\"memory_bytes\":1}}\n";

    /** Surefire sets the folder of the module; other runners start in the folder. */
    private static final Path DOCS =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolveSibling("docs");

    @TempDir
    private Path folder;

    @Test
    void theFiguresInTheDocumentAreThoseOfTheFiles() throws IOException {
        FiguresDocument document = new FiguresDocument(DOCS);

        assertThat(document.found())
                .as("docs/benchmarks.md is out of date; rewrite it with: ./chimera bench table --docs")
                .isEqualTo(document.expected());
    }

    @Test
    void onlyWhatIsBetweenTheMarkersIsWritten() throws IOException {
        write("Before.\n" + FiguresDocument.BEGIN + "\nold\n" + FiguresDocument.END + "\nBehind.\n");
        Files.writeString(folder.resolve("benchmarks/stages.json"), REPORT);
        FiguresDocument document = new FiguresDocument(folder);

        document.write();

        assertThat(document.found())
                .startsWith("Before.\n" + FiguresDocument.BEGIN + "\n\n### bench stages\n")
                .contains("| parse | 7 | ? | ? | – |")
                .contains("    bar [7]")
                .doesNotContain("old")
                .endsWith(FiguresDocument.END + "\nBehind.\n")
                .isEqualTo(document.expected());
    }

    @Test
    void aFileThatIsNoReportIsNamed() throws IOException {
        write(FiguresDocument.BEGIN + "\n" + FiguresDocument.END + "\n");
        Files.writeString(folder.resolve("benchmarks/peers.json"), "nothing\n");

        assertThatThrownBy(() -> new FiguresDocument(folder).expected())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("peers.json: Not the JSON object of a report");
    }

    @Test
    void aDocumentWithoutMarkersIsNotTouched() throws IOException {
        write("Nothing.\n");

        assertThatThrownBy(() -> new FiguresDocument(folder).write())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has no place for figures");
    }

    private void write(String text) throws IOException {
        Files.createDirectories(folder.resolve("benchmarks"));
        Files.writeString(folder.resolve("benchmarks.md"), text);
    }
}
