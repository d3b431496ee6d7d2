package io.chimera.bench.capture;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Ours: a process that stays for many times, so that it is compiled. */
final class OwnReceiver implements Receiver {
    private static final long END_S = 10;
    private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-Xmx256m");

    private final Process process;
    private final Path log;
    private final BufferedReader output;

    private OwnReceiver(Process process, Path log) {
        this.process = process;
        this.log = log;
        output = process.inputReader(UTF_8);
    }

    /** Starts it. */
    static OwnReceiver start(BenchSite site, Wire wire, String backEnd, LiveJob job) throws IOException {
        Path log = site.folder().resolve(backEnd + "-" + job + ".log");
        List<String> java = site.java(LivePeer.class, FLAGS, backEnd + ":" + Wire.RECEIVER, job.name());
        OwnReceiver receiver = new OwnReceiver(
                new ProcessBuilder(wire.whereReceived(java))
                        .redirectError(log.toFile())
                        .start(),
                log);
        try {
            receiver.await(LivePeer.READY);
            return receiver;
        } catch (IOException e) {
            receiver.process.destroyForcibly();
            throw e;
        }
    }

    @Override
    public Received receive(Sending sending) throws IOException, InterruptedException {
        Received before = mark();
        sending.run();
        Thread.sleep(SETTLE_MS);
        Received after = mark();
        return new Received(
                after.packets() - before.packets(),
                after.dropped() - before.dropped(),
                after.cpuSeconds() - before.cpuSeconds());
    }

    private Received mark() throws IOException {
        order("m\n");
        String[] parts = await(LivePeer.MARK).split(" ", -1);
        return new Received(Long.parseLong(parts[1]), Long.parseLong(parts[2]), ThreadTimes.cpuSeconds(process.pid()));
    }

    private void order(String text) throws IOException {
        OutputStream orders = process.getOutputStream();
        orders.write(text.getBytes(UTF_8));
        orders.flush();
    }

    private String await(String start) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(start)) {
                return line;
            }
        }
        String said = Files.readString(log, UTF_8).strip();
        throw new IOException("the receiver ended: " + said.lines().findFirst().orElse("it said nothing"));
    }

    @Override
    public void close() throws IOException {
        try {
            if (process.isAlive()) {
                order("q\n");
                process.waitFor(END_S, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
