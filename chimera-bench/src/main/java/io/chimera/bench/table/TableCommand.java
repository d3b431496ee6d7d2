package io.chimera.bench.table;

import io.chimera.bench.report.Report;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code chimera bench table}. */
@Command(
        name = "table",
        description = {
            "Print reports as Markdown tables and plots.",
            "With --docs, writes the pages docs/benchmarks/*.md and the plots of docs/performance.md."
        })
public final class TableCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = "Report of a bench command. Default: standard input.")
    private List<Path> files = List.of();

    @Option(names = "--docs", description = "Write the figures of the documents instead.")
    private boolean docs;

    private TableCommand() {}

    @Override
    public Integer call() throws IOException {
        if (docs) {
            writeDocs();
        } else if (files.isEmpty()) {
            print(ReportFile.read(System.in));
        }
        for (Path file : files) {
            if (!Files.isReadable(file)) {
                throw new ParameterException(spec.commandLine(), "Cannot read the file " + file + ".");
            }
            print(ReportFile.read(file));
        }
        return 0;
    }

    private void writeDocs() throws IOException {
        if (!files.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--docs takes no files; it reads the reports in docs/benchmarks.");
        }
        new FiguresDocument(ChimeraHome.find().folder().resolve("docs")).write();
    }

    private void print(Report report) {
        spec.commandLine().getOut().print(ReportText.of(report).text());
        spec.commandLine().getOut().flush();
    }
}
