package io.chimera.bench.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.bench.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The document docs/benchmarks.md. The text between two markers is generated from the reports in docs/benchmarks; all
 * other text is manual.
 */
public final class FiguresDocument {
    /** Marker line before the figures. */
    public static final String BEGIN = "<!-- figures: written by ./chimera bench table --docs, do not edit -->";

    /** Marker line after the figures. */
    public static final String END = "<!-- end of figures -->";

    private final Path document;
    private final Path reports;

    /**
     * Creates the document of a folder.
     *
     * @param docs the folder
     */
    public FiguresDocument(Path docs) {
        document = docs.resolve("benchmarks.md");
        reports = docs.resolve("benchmarks");
    }

    /** Returns the current content. */
    public String found() throws IOException {
        return Files.readString(document, UTF_8);
    }

    /**
     * Returns the required content.
     *
     * @throws IOException when a report is malformed or the markers are missing
     */
    public String expected() throws IOException {
        String now = found();
        int begin = now.indexOf(BEGIN + "\n");
        int end = now.indexOf(END + "\n");
        if (begin < 0 || end < begin) {
            throw new IOException(
                    document + " has no place for figures; add the lines '" + BEGIN + "' and '" + END + "'.");
        }
        return now.substring(0, begin) + BEGIN + "\n" + figures() + "\n" + now.substring(end);
    }

    /** Writes the figures into the document. */
    public void write() throws IOException {
        Files.writeString(document, expected(), UTF_8);
    }

    private String figures() throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.list(reports)) {
            files = found.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
        StringBuilder text = new StringBuilder();
        for (Path file : files) {
            Report report = ReportFile.read(file);
            text.append("\n### ").append(report.name()).append("\n\n");
            text.append("[%1$s](benchmarks/%1$s)\n\n".formatted(file.getFileName()));
            text.append(ReportText.of(report).text());
        }
        return text.toString();
    }
}
