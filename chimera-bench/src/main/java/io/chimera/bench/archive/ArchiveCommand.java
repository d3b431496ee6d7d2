package io.chimera.bench.archive;

import io.chimera.apps.node.ChimeraHome;
import io.chimera.bench.archive.disk.DiskFigures;
import io.chimera.bench.archive.disk.DiskPart;
import io.chimera.bench.archive.disk.DiskResults;
import io.chimera.bench.archive.disk.DiskSite;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.report.MachineWatch;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.ReportOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code chimera bench archive}. */
@Command(
        name = "archive",
        description = {
            "Writes the streams of the archive to a loop device and beside it what one would take instead to the same: the raw"
                    + " device, and log files on XFS. Rates, worst seconds, and what guarantees and reads cost.",
            "It takes root. What a tool or a right is missing for is left out, and named. The last line of standard output is"
                    + " the report as one JSON object; all else goes to standard error."
        })
public final class ArchiveCommand implements Callable<Integer> {
    @Mixin
    private ReportOptions options;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "PART",
            description = "Measures these parts only: ${COMPLETION-CANDIDATES}.")
    private Set<DiskPart.Question> only = EnumSet.allOf(DiskPart.Question.class);

    private ArchiveCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        ChimeraHome home = ChimeraHome.find();
        MachineWatch watch = new MachineWatch(home.folder());
        Path folder = BenchFolder.emptied(home.folder().resolve("chimera-bench/target/archive"));
        DiskResults disk = new DiskResults();
        DiskPart.measure(new DiskSite(home, folder, options.isQuick(), options::log), only, disk);
        BenchFolder.delete(folder);
        DiskFigures figures = new DiskFigures(disk);
        Report report = new Report(
                ArchiveTable.NAME, figures.figures(), figures.ratios(), figures.goals(), watch.finish(command()));
        options.print(report, () -> new ArchiveTable(report).text());
        return 0;
    }

    private String command() {
        return options.invocation()
                + (only.size() == DiskPart.Question.values().length
                        ? ""
                        : " --only "
                                + only.stream()
                                        .map(part -> part.name().toLowerCase(Locale.ROOT))
                                        .collect(Collectors.joining(",")));
    }
}
