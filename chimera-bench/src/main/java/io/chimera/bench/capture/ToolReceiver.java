package io.chimera.bench.capture;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.bench.report.ProgramRun;
import io.chimera.bench.report.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Receiver in a tool that captures on the wire. Each run starts a new process, ends it with a signal, and parses its
 * counters.
 */
final class ToolReceiver implements Receiver {
    /** Wait for incomplete blocks: tcpdump reads them only once a second, and abandons them at its end. */
    private static final long TOOL_SETTLE_MS = 1_300;

    private static final long PATIENCE_MS = 10_000;
    private static final long POLL_MS = 20;

    private final VethWire wire;
    private final Path said;
    private final List<String> command;
    private final String ready;
    private final List<String> asking;
    private final Pattern got;
    private final Pattern dropped;

    private ToolReceiver(
            VethWire wire,
            Path said,
            List<String> command,
            String ready,
            List<String> asking,
            String got,
            String dropped) {
        this.wire = wire;
        this.said = said;
        this.command = command;
        this.ready = ready;
        this.asking = asking;
        this.got = Pattern.compile(got);
        this.dropped = Pattern.compile(dropped);
    }

    /** Creates a receiver with tcpdump, which writes to /dev/null with a ring as large as Chimera's. */
    static ToolReceiver tcpdump(BenchSite site, VethWire wire) throws IOException {
        return new ToolReceiver(
                wire,
                site.folder().resolve("tcpdump.log"),
                List.of(
                        ProgramRun.require("tcpdump"),
                        "-Z",
                        "root",
                        "-n",
                        "-i",
                        VethWire.RECEIVER,
                        "-B",
                        "32768",
                        "-w",
                        "/dev/null"),
                "listening on",
                List.of(),
                "(\\d+) packets captured",
                "(\\d+) packets dropped by kernel");
    }

    /** Creates a receiver with softflowd and its default settings. */
    static ToolReceiver softflowd(BenchSite site, VethWire wire) throws IOException {
        Path control = site.folder().resolve("softflowd.ctl");
        return new ToolReceiver(
                wire,
                site.folder().resolve("softflowd.log"),
                List.of(
                        ProgramRun.require("softflowd"),
                        "-d",
                        "-i",
                        VethWire.RECEIVER,
                        "-p",
                        site.folder().resolve("softflowd.pid").toString(),
                        "-c",
                        control.toString()),
                "starting data collection",
                List.of(ProgramRun.require("softflowctl"), "-c", control.toString(), "statistics"),
                "Packets processed: (\\d+)",
                "Packets dropped by libpcap: (\\d+)");
    }

    @Override
    public Received receive(Work sending) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(wire.whereReceived(command))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            awaitReady(process);
            double before = ThreadTimes.cpuSeconds(process.pid());
            sending.run();
            Thread.sleep(TOOL_SETTLE_MS);
            double cpu = ThreadTimes.cpuSeconds(process.pid()) - before;
            String answer = asking.isEmpty() ? "" : ProgramRun.run(asking);
            ProgramRun.run(List.of(ProgramRun.require("kill"), "-INT", Long.toString(process.pid())));
            if (!process.waitFor(PATIENCE_MS, TimeUnit.MILLISECONDS)) {
                throw new IOException(command.get(0) + " does not end on SIGINT");
            }
            String text = answer + Files.readString(said, UTF_8);
            return new Received(number(got, text), number(dropped, text), cpu);
        } finally {
            process.destroyForcibly();
        }
    }

    private void awaitReady(Process process) throws IOException, InterruptedException {
        for (long waited = 0; !Files.readString(said, UTF_8).contains(ready); waited += POLL_MS) {
            if (!process.isAlive() || waited > PATIENCE_MS) {
                throw new IOException(command.get(0) + " does not listen: "
                        + Files.readString(said, UTF_8).strip());
            }
            Thread.sleep(POLL_MS);
        }
    }

    private long number(Pattern pattern, String text) throws IOException {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IOException(command.get(0) + " prints no '" + pattern + "' but " + text.strip());
        }
        return Long.parseLong(matcher.group(1));
    }
}
