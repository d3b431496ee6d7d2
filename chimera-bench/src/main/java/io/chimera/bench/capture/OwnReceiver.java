package io.chimera.bench.capture;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.bench.report.Work;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Receiver in a process of Chimera, used for several runs, so that its code is compiled. */
final class OwnReceiver implements Receiver, AutoCloseable {
    private static final long END_S = 60;

    /** Longer than packets wait in an incomplete block. */
    private static final long SETTLE_MS = 400;

    /** Time until flows without packets have ended and their points are stored: one second each, and one cycle. */
    private static final long CHAIN_SETTLE_MS = 3_000;

    private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-Xmx256m");

    private final Process process;
    private final Path log;
    private final long settleMs;
    private final BufferedReader output;

    private OwnReceiver(Process process, Path log, long settleMs) {
        this.process = process;
        this.log = log;
        this.settleMs = settleMs;
        output = process.inputReader(UTF_8);
    }

    /** Starts a receiver for a job on the packets of a back-end. */
    static OwnReceiver start(BenchSite site, VethWire wire, String backEnd, LiveJob job) throws IOException {
        List<String> java = site.java(LivePeer.class, FLAGS, backEnd + ":" + VethWire.RECEIVER, job.name());
        return start(wire, java, site.folder().resolve(backEnd + "-" + job + ".log"), SETTLE_MS);
    }

    /** Starts a whole cluster. */
    static OwnReceiver chain(BenchSite site, VethWire wire) throws IOException {
        Path folder = site.folder().resolve("chain");
        return start(
                wire,
                site.java(ChainPeer.class, FLAGS, folder.toString()),
                site.folder().resolve("chain.log"),
                CHAIN_SETTLE_MS);
    }

    private static OwnReceiver start(VethWire wire, List<String> java, Path log, long settleMs) throws IOException {
        Process process = new ProcessBuilder(wire.whereReceived(java))
                .redirectError(log.toFile())
                .start();
        OwnReceiver receiver = new OwnReceiver(process, log, settleMs);
        try {
            receiver.await(LivePeer.READY);
            return receiver;
        } catch (IOException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    @Override
    public Received receive(Work sending) throws IOException, InterruptedException {
        Received before = mark();
        sending.run();
        Thread.sleep(settleMs);
        Received after = mark();
        return new Received(
                after.packets() - before.packets(),
                after.dropped() - before.dropped(),
                after.cpuSeconds() - before.cpuSeconds());
    }

    private Received mark() throws IOException {
        process.getOutputStream().write('m');
        process.getOutputStream().flush();
        String[] parts = await(LivePeer.MARK).split(" ", -1);
        return new Received(Long.parseLong(parts[1]), Long.parseLong(parts[2]), Double.parseDouble(parts[3]));
    }

    private String await(String start) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(start)) {
                return line;
            }
        }
        String said = Files.readString(log, UTF_8).strip();
        throw new IOException("the receiver ended: " + said.lines().findFirst().orElse("no output"));
    }

    @Override
    public void close() throws IOException {
        try {
            process.getOutputStream().close();
            process.waitFor(END_S, TimeUnit.SECONDS); // the end of the process removes its XDP program
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
