package io.chimera.bench.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.bench.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Generated figures of the documents: a page for each report in docs/benchmarks, and the plots of docs/performance.md.
 * The remaining text of docs/performance.md is manual.
 *
 * <p>A plot stands between two marker lines; the first line names the report and the title of the plot.
 */
public final class FiguresDocument {
    private static final String SUFFIX = ".json";
    private static final String FENCE = "```";

    private static final Pattern PLOT =
            Pattern.compile("(?s)(<!-- plot \"([^\"]+)\" of (\\S+), written by ./chimera bench table --docs -->\n)"
                    + ".*?(<!-- end of plot -->\n)");

    private final Path document;
    private final Path reports;

    /**
     * Creates the documents of a folder.
     *
     * @param docs the folder
     */
    public FiguresDocument(Path docs) {
        document = docs.resolve("performance.md");
        reports = docs.resolve("benchmarks");
    }

    /**
     * Returns the required content of every file with generated figures.
     *
     * @throws IOException when a report is malformed, or a plot is missing in its report
     */
    public Map<Path, String> expected() throws IOException {
        Map<Path, String> files = new TreeMap<>();
        for (Path report : reports()) {
            String name = report.getFileName().toString();
            Path page = report.resolveSibling(name.substring(0, name.length() - SUFFIX.length()) + ".md");
            files.put(page, page(report));
        }
        files.put(document, withPlots(Files.readString(document, UTF_8)));
        return files;
    }

    /** Writes the figures. */
    public void write() throws IOException {
        for (Map.Entry<Path, String> file : expected().entrySet()) {
            Files.writeString(file.getKey(), file.getValue(), UTF_8);
        }
    }

    /** Returns the files of all reports, in the order of their names. */
    List<Path> reports() throws IOException {
        try (Stream<Path> found = Files.list(reports)) {
            return found.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList();
        }
    }

    private static String page(Path file) throws IOException {
        Report report = ReportFile.read(file);
        return "<!-- written by ./chimera bench table --docs, do not edit -->\n# " + report.name()
                + "\n\nReport: [%1$s](%1$s). Explanation of the figures: [commands](README.md).\n\n"
                        .formatted(file.getFileName())
                + ReportText.of(report).text();
    }

    private String withPlots(String text) throws IOException {
        Matcher plot = PLOT.matcher(text);
        StringBuilder filled = new StringBuilder();
        while (plot.find()) {
            String block = plot(plot.group(2), reports.resolve(plot.group(3)));
            plot.appendReplacement(filled, Matcher.quoteReplacement(plot.group(1) + block + plot.group(4)));
        }
        return plot.appendTail(filled).toString();
    }

    private static String plot(String title, Path file) throws IOException {
        String plots = String.join("\n", ReportText.of(ReportFile.read(file)).plots()) + "\n";
        Matcher block =
                Pattern.compile("(?s)" + FENCE + "mermaid\n.*?" + FENCE + "\n").matcher(plots);
        while (block.find()) {
            if (block.group().contains("title \"" + title + "\"")) {
                return block.group();
            }
        }
        throw new IOException(file + " has no plot \"" + title + "\".");
    }
}
