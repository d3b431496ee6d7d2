package io.chimera.bench.archive.forensics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.report.ProgramRun;
import io.chimera.jni.capture.PcapWriter;
import io.chimera.jni.capture.PcapWriter.Resolution;
import io.chimera.node.child.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/** Runs one recorder per monitor, each with a volume of the monitor's packets and nothing more to record. */
final class Recorders implements AutoCloseable {
    static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-Xmx512m");

    private static final long MIB = 1 << 20;
    private static final long VOLUME_BYTES_MIN = 256 * MIB;
    private static final int ETHERNET = 1;
    private static final int FRAME_BYTES = 60;
    private static final long IDLE_NS = TimeUnit.HOURS.toNanos(12);
    private static final long START_MS_MAX = 30_000;
    private static final long POLL_MS = 50;
    private static final long END_S = 10;

    private final BenchSite site;
    private final Path folder;
    private final Path idle;
    private final List<Process> processes = new ArrayList<>();
    private final List<String> addresses = new ArrayList<>();

    Recorders(BenchSite site) throws IOException {
        this.site = site;
        folder = BenchFolder.emptied(site.folder().resolve("recorders"));
        idle = folder.resolve("idle.pcap");
        try (PcapWriter writer = PcapWriter.create(idle, ETHERNET, Resolution.NANOSECONDS)) {
            UnsafeBuffer frame = new UnsafeBuffer(new byte[FRAME_BYTES]);
            long nowNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
            writer.write(nowNs, frame, 0, FRAME_BYTES, FRAME_BYTES);
            writer.write(nowNs + IDLE_NS, frame, 0, FRAME_BYTES, FRAME_BYTES);
        }
    }

    /** Records the packets of a monitor. */
    void record(String monitor, Path pcap) throws IOException, InterruptedException {
        String volume = folder.resolve(monitor).toString();
        long bytes = Math.max(VOLUME_BYTES_MIN, Files.size(pcap) * 3 / 2 / MIB * MIB);
        run("archive", "create", volume, "--size", bytes / MIB + "MiB");
        run("archive", "record", "--read", pcap.toString(), "--to", volume, "--stream", monitor);
    }

    private String run(String... arguments) throws IOException, InterruptedException {
        return ProgramRun.run(site.home().nodeCommand(FLAGS, List.of(arguments)));
    }

    /**
     * Starts a recorder for queries. Its input is one packet without a known protocol, and the next packet 12
     * hours later.
     */
    void start(String monitor) throws IOException, InterruptedException {
        String address = new FreePorts(1).next();
        Path log = folder.resolve(monitor + ".log");
        processes.add(new ProcessBuilder(site.home()
                        .nodeCommand(
                                FLAGS,
                                List.of(
                                        "archive",
                                        "record",
                                        "--read",
                                        idle.toString(),
                                        "--speed",
                                        "1",
                                        "--to",
                                        folder.resolve(monitor).toString(),
                                        "--stream",
                                        monitor,
                                        "--http",
                                        address)))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start());
        addresses.add(address);
        for (long waited = 0; !Files.readString(log, UTF_8).contains("query at"); waited += POLL_MS) {
            if (waited > START_MS_MAX || !processes.get(processes.size() - 1).isAlive()) {
                throw new IOException("a recorder does not start: "
                        + Files.readString(log, UTF_8).strip());
            }
            Thread.sleep(POLL_MS);
        }
    }

    /** Runs a session of an operator, and returns the output lines of the command. */
    List<String> investigate(String bot, String inside, int times) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(
                List.of("forensics", bot, "--inside", inside, "--times", Integer.toString(times), "--json"));
        addresses.forEach(address -> arguments.addAll(List.of("--http", address)));
        return run(arguments.toArray(String[]::new)).lines().toList();
    }

    @Override
    public void close() throws IOException {
        processes.forEach(Process::destroy);
        for (Process process : processes) {
            try {
                process.waitFor(END_S, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            process.destroyForcibly();
        }
        BenchFolder.delete(folder);
    }
}
