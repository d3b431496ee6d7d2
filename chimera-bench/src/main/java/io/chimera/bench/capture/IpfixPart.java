package io.chimera.bench.capture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.report.ProgramRun;
import io.chimera.bench.report.Rounding;
import io.chimera.node.child.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures flow records of a file sent over UDP to nfcapd on loopback: the received share, and the missing sequence
 * numbers.
 */
final class IpfixPart {
    static final String SENT = "ipfix_sent_records_count";
    static final String RECEIVED = "ipfix_received_records_count";
    static final String RECEIVED_SHARE = "ipfix_received_percent";
    static final String SEQUENCE_ERRORS = "ipfix_sequence_errors_count";

    private static final int PACKETS = 4_000_000;
    private static final int PACKETS_QUICK = 500_000;
    private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-Xmx1g");
    private static final Pattern EXPORTED = Pattern.compile("(\\d+) flow records exported");
    private static final Pattern FLOWS = Pattern.compile("(?m)^Flows: (\\d+)");
    private static final Pattern FAILURES = Pattern.compile("Sequence failures: (\\d+)");

    private static final long PATIENCE_MS = 10_000;
    private static final long POLL_MS = 20;

    /** Longest sleep of a collector with data to read. */
    private static final long SETTLE_MS = 1_500;

    private IpfixPart() {}

    /** Measures if nfcapd is installed, and reports a missing nfcapd. */
    static void measure(BenchSite site, CaptureResults results) throws IOException, InterruptedException {
        site.log().accept("ipfix");
        try (PacketTrace trace = PacketTrace.write(site.isQuick() ? PACKETS_QUICK : PACKETS)) {
            measure(site, results, trace);
        } catch (IOException e) {
            results.leaveOut("ipfix", e.getMessage());
        }
    }

    private static void measure(BenchSite site, CaptureResults results, PacketTrace trace)
            throws IOException, InterruptedException {
        Path folder = BenchFolder.emptied(site.folder().resolve("nfcapd"));
        Path log = site.folder().resolve("nfcapd.log");
        String nfdump = ProgramRun.require("nfdump");
        String collector = new FreePorts(1).next();
        int port = Integer.parseInt(collector.substring(collector.indexOf(':') + 1));
        List<String> command = List.of(
                ProgramRun.require("setpriv"),
                "--pdeathsig",
                "KILL",
                ProgramRun.require("nfcapd"),
                "-b",
                "127.0.0.1",
                "-p",
                Integer.toString(port),
                "-w",
                folder.toString(),
                "-t",
                "3600");
        Process nfcapd = new ProcessBuilder(ProgramRun.onCore(BenchSite.RECEIVER, command))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            awaitListening(nfcapd, port, log);
            long sent = number(EXPORTED, ProgramRun.run(exporter(site, trace, collector)));
            Thread.sleep(SETTLE_MS);
            nfcapd.destroy();
            nfcapd.waitFor(PATIENCE_MS, TimeUnit.MILLISECONDS);
            String said = ProgramRun.run(List.of(nfdump, "-R", folder.toString(), "-I"));
            long received = number(FLOWS, said);
            results.add(SENT, Rounding.to(0, (double) sent));
            results.add(RECEIVED, Rounding.to(0, (double) received));
            results.add(RECEIVED_SHARE, Rounding.to(2, received * 100.0 / sent));
            results.add(SEQUENCE_ERRORS, Rounding.to(0, (double) number(FAILURES, said)));
        } finally {
            nfcapd.destroyForcibly();
        }
    }

    private static List<String> exporter(BenchSite site, PacketTrace trace, String collector) throws IOException {
        List<String> arguments =
                List.of("flows", "--read", trace.path().toString(), "--export", "ipfix:udp://" + collector);
        return ProgramRun.onCore(BenchSite.SENDER, site.home().nodeCommand(FLAGS, arguments));
    }

    private static void awaitListening(Process process, int port, Path log) throws IOException, InterruptedException {
        String socket = String.format(Locale.ROOT, ":%04X ", port);
        for (long waited = 0;
                !Files.readString(Path.of("/proc/net/udp"), ISO_8859_1).contains(socket);
                waited += POLL_MS) {
            if (!process.isAlive() || waited > PATIENCE_MS) {
                throw new IOException("nfcapd does not listen: "
                        + Files.readString(log, UTF_8).strip());
            }
            Thread.sleep(POLL_MS);
        }
    }

    private static long number(Pattern pattern, String text) throws IOException {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IOException("no match for '" + pattern + "' in " + text.strip());
        }
        return Long.parseLong(matcher.group(1));
    }
}
