package io.chimera.bench.archive;

import io.chimera.bench.archive.disk.DiskFigures;
import io.chimera.bench.archive.disk.DiskPart;
import io.chimera.bench.archive.disk.DiskPart.Question;
import io.chimera.bench.archive.disk.DiskResults;
import io.chimera.bench.archive.disk.DiskSite;
import io.chimera.bench.archive.forensics.ForensicsFigures;
import io.chimera.bench.archive.forensics.ForensicsPart;
import io.chimera.bench.archive.peers.PeerFigures;
import io.chimera.bench.archive.peers.PeerPart;
import io.chimera.bench.archive.peers.PeerResults;
import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.report.Findings;
import io.chimera.bench.report.MachineWatch;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.ReportOptions;
import io.chimera.node.ChimeraHome;
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
            "Measure the archive: disk streams, packet index and forensics.",
            "Disk: writes the archive's streams to a loop device, compared with the raw device and with log files on"
                    + " XFS: rates, worst seconds, and the cost of guarantees and reads."
                    + " Index: archives packets, compared with stenographer, PostgreSQL and ClickHouse: CPU time,"
                    + " index size and query time.",
            "Forensics: traces an attack in the recordings of three monitors, compared with stenographer.",
            "Needs root. Skips and names parts with a missing tool or privilege. The last line of standard output is"
                    + " the report as one JSON object; everything else goes to standard error."
        })
public final class ArchiveBenchCommand implements Callable<Integer> {
    @Mixin
    private ReportOptions options;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "PART",
            description = "Measure only these parts: ${COMPLETION-CANDIDATES}.")
    private Set<Part> only = EnumSet.allOf(Part.class);

    private ArchiveBenchCommand() {}

    /** Parts that can be measured separately. */
    private enum Part {
        CAPPED,
        UNCAPPED,
        UTILISATION,
        STREAMS,
        READS,
        ZONES,
        PEERS,
        FORENSICS;

        /** Returns the disk parts as questions, which have the same names. */
        private static Set<Question> questions(Set<Part> parts) {
            return parts.stream()
                    .filter(part -> part != PEERS && part != FORENSICS)
                    .map(part -> Question.valueOf(part.name()))
                    .collect(Collectors.toCollection(() -> EnumSet.noneOf(Question.class)));
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        ChimeraHome home = ChimeraHome.find();
        MachineWatch watch = new MachineWatch(home.folder());
        Path folder = BenchFolder.emptied(home.folder().resolve("chimera-bench/target/archive"));
        DiskResults disk = new DiskResults();
        Set<Question> questions = Part.questions(only);
        if (!questions.isEmpty()) {
            DiskPart.measure(new DiskSite(home, folder, options.isQuick(), options::log), questions, disk);
        }
        PeerResults peers = new PeerResults();
        if (only.contains(Part.PEERS)) {
            PeerPart.measure(new BenchSite(home, folder, options.isQuick(), options::log), peers);
        }
        PeerResults forensics = new PeerResults();
        if (only.contains(Part.FORENSICS)) {
            ForensicsPart.measure(new BenchSite(home, folder, options.isQuick(), options::log), forensics);
        }
        BenchFolder.delete(folder);
        Findings findings = new Findings();
        findings.add(DiskFigures.of(disk));
        findings.add(PeerFigures.of(peers));
        findings.add(ForensicsFigures.of(forensics));
        Report report = findings.report(ArchiveTable.NAME, watch.finish(command()));
        options.print(report, () -> new ArchiveTable(report).text());
        return 0;
    }

    private String command() {
        return options.invocation()
                + (only.size() == Part.values().length
                        ? ""
                        : " --only "
                                + only.stream()
                                        .map(part -> part.name().toLowerCase(Locale.ROOT))
                                        .collect(Collectors.joining(",")));
    }
}
