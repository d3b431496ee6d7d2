package io.chimera.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.bench.peers.PeersTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code chimera bench table}: a report as the table that docs/benchmarks.md holds. */
@Command(name = "table", description = "Prints a report as a Markdown table.")
public final class TableCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "What a bench command wrote to standard output; not given: standard input.")
    private Path file;

    private TableCommand() {}

    @Override
    public Integer call() throws IOException {
        if (file != null && !Files.isReadable(file)) {
            throw new ParameterException(spec.commandLine(), "Cannot read the file " + file + ".");
        }
        String output = file == null ? new String(System.in.readAllBytes(), UTF_8) : Files.readString(file, UTF_8);
        Report report = Report.ofJson(output.strip().lines().reduce("", (before, last) -> last));
        spec.commandLine()
                .getOut()
                .print(PeersTable.isFor(report) ? new PeersTable(report).text() : new MarkdownTable(report).text());
        spec.commandLine().getOut().flush();
        return 0;
    }
}
