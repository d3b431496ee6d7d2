package io.chimera.bench.capture;

import io.chimera.bench.cluster.BenchFolder;
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

/** The command {@code chimera bench capture}. */
@Command(
        name = "capture",
        description = {
            "Measure flow metering of packets, compared with other tools.",
            "Meters the same packets from a file and live: packets per second of CPU time, and the ratio to each tool."
                    + " Skips and names parts with a missing tool, privilege or interface. The last line of standard"
                    + " output is the report as one JSON object; everything else goes to standard error."
        })
public final class CaptureCommand implements Callable<Integer> {
    /** Parts that can be measured separately. */
    private enum Part {
        FILE,
        VARIANTS,
        LIVE,
        IPFIX
    }

    @Mixin
    private ReportOptions options;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "PART",
            description = "Measure only these parts: ${COMPLETION-CANDIDATES}.")
    private Set<Part> only = EnumSet.allOf(Part.class);

    private CaptureCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        ChimeraHome home = ChimeraHome.find();
        MachineWatch watch = new MachineWatch(home.folder());
        Path folder = BenchFolder.emptied(home.folder().resolve("chimera-bench/target/capture"));
        BenchSite site = new BenchSite(home, folder, options.isQuick(), options::log);
        CaptureResults results = new CaptureResults();
        if (only.contains(Part.FILE) || only.contains(Part.VARIANTS)) {
            FilePart.measure(site, results, only.contains(Part.FILE), only.contains(Part.VARIANTS));
        }
        if (only.contains(Part.LIVE)) {
            LivePart.measure(site, results);
        }
        if (only.contains(Part.IPFIX)) {
            IpfixPart.measure(site, results);
        }
        if (results.isComplete()) {
            BenchFolder.delete(folder); // logs of skipped measurements stay
        }
        Report report = new CaptureReport(results).report(watch.finish(command()));
        options.print(report, () -> new CaptureTable(report).text());
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
