package io.chimera.bench.paper.channel;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.cluster.ProcessUsage;
import io.chimera.bench.fold.PartFrames;
import io.chimera.bench.load.PointRecords;
import io.chimera.bench.load.PointShape;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/** Measures the channel between two processes over a path. One thread. */
public final class ChannelRun {
    private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-Xmx256m", "-XX:MaxDirectMemorySize=512m");
    private static final long END_S = 10;
    private static final long START_S = 60;
    private static final long POLL_MS = 50;
    private static final double NS_PER_S = TimeUnit.SECONDS.toNanos(1);

    private final BenchSite site;
    private final ChannelPath path;
    private final int warmupMs;
    private final int durationMs;

    /**
     * Creates a run.
     *
     * @param warmupMs time before each measurement, in ms
     * @param durationMs time of each measurement, in ms
     */
    public ChannelRun(BenchSite site, ChannelPath path, int warmupMs, int durationMs) {
        this.site = site;
        this.path = path;
        this.warmupMs = warmupMs;
        this.durationMs = durationMs;
    }

    /** Measures the channel alone. */
    public ChannelRate count() throws IOException, InterruptedException {
        PointRecords records = SendingPeer.records();
        return measure(FrameWork.COUNT, records.count(), (double) records.length() / records.count());
    }

    /** Measures the channel with a receiver that extracts, checks and folds all points. */
    public ChannelRate fold() throws IOException, InterruptedException {
        int bytes = PartFrames.of(PointShape.FOUR_FIELDS).others().stream()
                .mapToInt(UnsafeBuffer::capacity)
                .sum();
        return measure(FrameWork.FOLD, 1, (double) bytes / PartFrames.POINTS);
    }

    /** Measures; each count of the receiver stands for some points. */
    private ChannelRate measure(FrameWork work, int points, double pointBytes)
            throws IOException, InterruptedException {
        Path log = site.folder().resolve("channel.log");
        Process receiver = start(path.receiving(site.java(ReceivingPeer.class, FLAGS, path.host(), work.name())), log);
        try {
            BufferedReader said = receiver.inputReader(UTF_8);
            String target = path.host() + ":" + await(said, ReceivingPeer.READY, log);
            Process sender = start(path.sending(site.java(SendingPeer.class, FLAGS, target, work.name())), log);
            try {
                awaitPoints(receiver, said, log);
                Thread.sleep(warmupMs);
                List<Long> pids = List.of(receiver.pid(), sender.pid());
                double cpu = ProcessUsage.cpuSeconds(pids);
                long startNs = System.nanoTime();
                long start = mark(receiver, said, log);
                Thread.sleep(durationMs);
                long received = mark(receiver, said, log) - start;
                double seconds = (System.nanoTime() - startNs) / NS_PER_S;
                if (received <= 0) {
                    throw new IOException("the channel moved no points; see " + log);
                }
                double cores = (ProcessUsage.cpuSeconds(pids) - cpu) / seconds;
                return new ChannelRate(received * (double) points / seconds, cores, pointBytes);
            } finally {
                end(sender);
            }
        } finally {
            end(receiver);
        }
    }

    private static Process start(List<String> command, Path log) throws IOException {
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** Waits until points arrive: on a busy machine the sender needs some time to start. */
    private static void awaitPoints(Process receiver, BufferedReader said, Path log)
            throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_S);
        while (mark(receiver, said, log) == 0) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IOException("no points arrived within " + START_S + " s; see " + log);
            }
            Thread.sleep(POLL_MS);
        }
    }

    private static long mark(Process receiver, BufferedReader said, Path log) throws IOException {
        receiver.getOutputStream().write('m');
        receiver.getOutputStream().flush();
        return Long.parseLong(await(said, ReceivingPeer.MARK, log));
    }

    /** Returns the rest of the next line with a prefix. */
    private static String await(BufferedReader said, String prefix, Path log) throws IOException {
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith(prefix)) {
                return line.substring(prefix.length());
            }
        }
        throw new IOException("the receiver ended: "
                + Files.readString(log, UTF_8).lines().findFirst().orElse("no output"));
    }

    private static void end(Process process) throws IOException {
        try {
            process.getOutputStream().close();
            process.waitFor(END_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
