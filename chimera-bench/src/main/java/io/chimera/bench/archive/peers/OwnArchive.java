package io.chimera.bench.archive.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.archive.server.QueryService;
import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.report.ProgramRun;
import io.chimera.bench.report.Work;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs the archive in a process that archives repeatedly, so that its code is compiled, and answers queries about the
 * last recording.
 */
final class OwnArchive implements AutoCloseable {
    /** Longer than packets wait in an incomplete block of the ring. */
    private static final long SETTLE_MS = 500;

    private static final long END_S = 30;
    private static final long MIB = 1 << 20;

    /** Generous size of a packet with all overhead: a volume that wraps would lose packets. */
    private static final long PACKET_BYTES = 128;

    private static final long VOLUME_BYTES_MIN = 256 * MIB;
    static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-Xmx512m");

    private final Path folder;
    private final Process process;
    private final BufferedReader output;
    private final Writer orders;
    private final Curl.Runner runner;
    private String port = "";
    private int volumes;

    /** Counters and cost of a recording. */
    record Recorded(long packets, long dropped, long cpuNs, long wallNs, long indexBytes) {
        private static Recorded of(String[] parts) {
            return new Recorded(
                    Long.parseLong(parts[1]),
                    Long.parseLong(parts[2]),
                    Long.parseLong(parts[3]),
                    Long.parseLong(parts[4]),
                    Long.parseLong(parts[5]));
        }
    }

    private OwnArchive(Path folder, Process process, Curl.Runner runner) {
        this.folder = folder;
        this.runner = runner;
        this.process = process;
        output = process.inputReader(UTF_8);
        orders = process.outputWriter(UTF_8);
    }

    /** Wraps the command of the archive's process. */
    @FunctionalInterface
    interface Place {
        List<String> command(List<String> java) throws IOException;
    }

    /**
     * Starts the process.
     *
     * @param runner runs queries in the network namespace of the process
     */
    static OwnArchive start(BenchSite site, Place place, Curl.Runner runner) throws IOException {
        Path folder = BenchFolder.emptied(site.folder().resolve("own"));
        Process process = new ProcessBuilder(place.command(site.java(ArchivePeer.class, FLAGS)))
                .redirectError(folder.resolve("log").toFile())
                .start();
        return new OwnArchive(folder, process, runner);
    }

    /** Archives a file into a new volume. */
    Recorded read(Path pcap, long packets) throws IOException {
        order("record " + newVolume() + " " + volumeBytes(packets) + " file:" + pcap);
        await(ArchivePeer.RECORDING);
        return recorded();
    }

    /** Archives the packets of an interface into a new volume while packets are sent, until all are durable. */
    Recorded record(String source, Work sending, long packets) throws IOException, InterruptedException {
        order("record " + newVolume() + " " + volumeBytes(packets) + " " + source);
        await(ArchivePeer.RECORDING);
        sending.run();
        Thread.sleep(SETTLE_MS);
        order("end");
        return recorded();
    }

    private Recorded recorded() throws IOException {
        Recorded recorded = Recorded.of(await(ArchivePeer.RECORDED));
        port = await(ArchivePeer.LISTENING)[1];
        return recorded;
    }

    private Path newVolume() throws IOException {
        Files.deleteIfExists(folder.resolve("volume" + (volumes - 1))); // the second last volume
        return folder.resolve("volume" + ++volumes);
    }

    private static long volumeBytes(long packets) {
        return Math.max(VOLUME_BYTES_MIN, packets * PACKET_BYTES / MIB * MIB);
    }

    /** Lets the process use all cores from now on. */
    void useAllCores() throws IOException, InterruptedException {
        ProgramRun.onAllCores(process.pid());
    }

    /**
     * Queries the last recording over HTTP, in the way stenographer is queried.
     *
     * @param into file for the answer
     * @return milliseconds to the complete answer
     */
    double ask(String question, Path into) throws IOException, InterruptedException {
        return Curl.ask(runner, List.of(), question, into, "http://127.0.0.1:" + port + QueryService.STENOGRAPHER_PATH);
    }

    /** Repeats a query without measuring. */
    void askAgain(String question, int times) throws IOException, InterruptedException {
        Curl.askAgain(runner, question, "http://127.0.0.1:" + port + QueryService.STENOGRAPHER_PATH, times);
    }

    private void order(String line) throws IOException {
        orders.write(line + "\n");
        orders.flush();
    }

    private String[] await(String start) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(start)) {
                return line.split(" ", -1);
            }
        }
        String said = Files.readString(folder.resolve("log"), UTF_8).strip();
        throw new IOException("our archive ended: " + said.lines().findFirst().orElse("no output"));
    }

    @Override
    public void close() throws IOException {
        try {
            process.getOutputStream().close();
            process.waitFor(END_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
        BenchFolder.delete(folder);
    }
}
