package io.chimera.bench.capture;

import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.report.ProgramRun;
import io.chimera.bench.report.Rounding;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Measures a file of packets: Chimera compared with the minimal loop and the tools, and the paper's four variants. */
final class FilePart {
    static final String CHIMERA = "file_chimera";
    static final String COLD = "file_chimera_cold";
    static final String LOOP = "file_loop";
    static final String NFPCAPD = "file_nfpcapd";
    static final String SOFTFLOWD = "file_softflowd";
    static final String VARIANT = "variant_";

    private static final int PACKETS = 4_000_000;
    private static final int PACKETS_QUICK = 500_000;

    /** Packets of a sample: at least half a second, because the JVM's processor time has a resolution of 10 ms. */
    private static final int SAMPLE_PACKETS = 8_000_000;

    /**
     * Uncounted passes: the first one includes the start of the JVM, the second one is a sample until compilation ends.
     */
    private static final int WARMUPS = 2;

    private static final int SAMPLES = 6;
    private static final int SAMPLES_QUICK = 4;
    private static final int TOOL_PASSES = 3;

    /** JVM flags for one core; JIT and garbage collector are included and counted. */
    private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-Xmx512m");

    private final BenchSite site;
    private final CaptureResults results;
    private final PacketTrace trace;
    private Counted expected;

    private FilePart(BenchSite site, CaptureResults results, PacketTrace trace) {
        this.site = site;
        this.results = results;
        this.trace = trace;
    }

    /**
     * Measures the parts.
     *
     * @param isPeers whether to compare Chimera with the tools
     * @param isVariants whether to measure the four variants
     */
    static void measure(BenchSite site, CaptureResults results, boolean isPeers, boolean isVariants)
            throws IOException, InterruptedException {
        site.log().accept("Writing packets to main memory.");
        try (PacketTrace trace = PacketTrace.write(site.isQuick() ? PACKETS_QUICK : PACKETS)) {
            FilePart part = new FilePart(site, results, trace);
            if (isPeers) {
                part.own(FileJob.CHIMERA, CHIMERA);
                part.own(FileJob.LOOP, LOOP);
                part.tool(NFPCAPD, part::nfpcapd);
                part.tool(SOFTFLOWD, part::softflowd);
            }
            for (FileJob job : FileJob.values()) {
                if (isVariants && job.isVariant()) {
                    part.own(job, VARIANT + job.key());
                }
            }
        }
    }

    private void own(FileJob job, String who) throws IOException, InterruptedException {
        site.log().accept(who);
        List<String> java = site.java(
                FilePeer.class,
                FLAGS,
                job.name(),
                trace.path().toString(),
                Integer.toString(trace.flowsMax()),
                Integer.toString(SAMPLE_PACKETS / trace.packets()),
                Integer.toString(site.isQuick() ? SAMPLES_QUICK : SAMPLES));
        // variants use threads on all cores; single-threaded jobs share one core with the JVM's own threads
        List<Pass> passes =
                Pass.all(ProgramRun.run(job.isVariant() ? java : ProgramRun.onCore(BenchSite.RECEIVER, java)));
        passes.forEach(pass -> check(who, pass.counted()));
        Pass pass = median(passes.subList(WARMUPS, passes.size()));
        results.add(new PacketCost(who, trace.packets(), pass.cpuNs() / 1e9, pass.wallNs() / 1e9));
        if (job == FileJob.CHIMERA) {
            Pass first = passes.get(0);
            results.add(new PacketCost(COLD, trace.packets(), first.cpuNs() / 1e9, first.wallNs() / 1e9));
            results.add(
                    "file_flows_count", Rounding.to(0, (double) first.counted().flows()));
        }
    }

    /** Requires equal counts of all tools; only then figures count. */
    private void check(String who, Counted counted) {
        if (expected == null) {
            expected = counted;
        }
        if (!counted.isSame(expected) || counted.packets() != trace.packets()) {
            throw new IllegalStateException(who + " counted " + counted + " instead of " + trace.packets()
                    + " packets, and the first tool counted " + expected + ".");
        }
    }

    private static Pass median(List<Pass> passes) {
        List<Pass> sorted = new ArrayList<>(passes);
        sorted.sort(Comparator.comparingLong(Pass::cpuNs));
        return sorted.get(sorted.size() / 2);
    }

    /** Command of a tool that reads the file. */
    @FunctionalInterface
    private interface Command {
        List<String> make(Path folder) throws IOException;
    }

    private void tool(String who, Command command) throws InterruptedException {
        site.log().accept(who);
        try {
            List<ProgramRun.Took> took = new ArrayList<>();
            for (int i = 0; i < TOOL_PASSES; i++) {
                Path folder = BenchFolder.emptied(site.folder().resolve(who));
                took.add(ProgramRun.timed(BenchSite.RECEIVER, command.make(folder)));
                BenchFolder.delete(folder);
            }
            took.sort(Comparator.comparingDouble(ProgramRun.Took::cpuSeconds));
            ProgramRun.Took median = took.get(took.size() / 2);
            results.add(new PacketCost(who, trace.packets(), median.cpuSeconds(), median.wallSeconds()));
        } catch (IOException e) {
            results.leaveOut(who, e.getMessage());
        }
    }

    /** Returns the nfpcapd command; its default table is larger than the number of flows. */
    private List<String> nfpcapd(Path folder) throws IOException {
        return List.of(ProgramRun.require("nfpcapd"), "-r", trace.path().toString(), "-w", folder.toString());
    }

    /** Returns the softflowd command, with room for all flows and without export: the least possible work. */
    private List<String> softflowd(Path folder) throws IOException {
        return List.of(
                ProgramRun.require("softflowd"),
                "-d",
                "-r",
                trace.path().toString(),
                "-m",
                Integer.toString(trace.flowsMax() + 1),
                "-p",
                folder.resolve("pid").toString(),
                "-c",
                "none");
    }
}
