package io.chimera.bench.archive.peers;

import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.capture.ThreadTimes;
import io.chimera.bench.capture.VethWire;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.report.ProgramRun;
import io.chimera.bench.report.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Runs stenographer in the receiver's network namespace for recordings and queries. */
public final class Stenographer implements AutoCloseable {
    /**
     * Half of stenographer's default, and more than all packets need: stenographer falls behind on one core, but must
     * not lose packets.
     */
    private static final int RING_MIB = 1024;

    /** Age at which an incomplete block is written. */
    private static final int BLOCK_AGE_S = 5;

    /** All packets fit into one file, the cheapest case for stenographer; a multiple of the block age. */
    private static final int FILE_AGE_S = 20;

    private static final int FILE_AGE_QUICK_S = 10;
    private static final int VERBOSITY = 2;
    private static final int PORT = 1234;
    private static final long POLL_MS = 10;
    private static final Pattern COUNTED = Pattern.compile("packets=(\\d+) .*drops=(\\d+)");

    private final VethWire wire;
    private final Path folder;
    private final StenographerProcess process;

    /**
     * Counters of a recording.
     *
     * @param packets number of recorded packets
     * @param dropped number of dropped packets
     * @param cpuSeconds processor time
     */
    public record Recorded(long packets, long dropped, double cpuSeconds) {}

    private Stenographer(VethWire wire, Path folder, StenographerProcess process) {
        this.wire = wire;
        this.folder = folder;
        this.process = process;
    }

    /**
     * Starts stenographer with files that are closed after {@link #FILE_AGE_S} seconds instead of sixty.
     *
     * @throws IOException with the last output when stenographer is missing or does not run
     */
    static Stenographer start(BenchSite site, VethWire wire) throws IOException, InterruptedException {
        return start(
                BenchFolder.emptied(site.folder().resolve("stenographer")),
                wire,
                BLOCK_AGE_S,
                site.isQuick() ? FILE_AGE_QUICK_S : FILE_AGE_S);
    }

    /**
     * Starts stenographer.
     *
     * @param folder folder for all its files
     * @param blockAgeS seconds after which an incomplete block is written
     * @param fileAgeS seconds after which a file is closed, a multiple of the block age
     */
    public static Stenographer start(Path folder, VethWire wire, int blockAgeS, int fileAgeS)
            throws IOException, InterruptedException {
        return new Stenographer(
                wire,
                folder,
                StenographerProcess.start(
                        new StenographerProcess.Setup(
                                folder,
                                List.of(folder),
                                ProgramRun.require("stenotype"),
                                PORT,
                                blockAgeS,
                                fileAgeS,
                                RING_MIB,
                                VERBOSITY),
                        wire::whereReceived));
    }

    /** Records while packets are sent, until all packets are available to queries. */
    public Recorded record(Work sending, long packets) throws IOException, InterruptedException {
        double before = cpuSeconds();
        sending.run();
        process.awaitLog(log -> counted(log, 1) + counted(log, 2) >= packets);
        String last = fileOfNow();
        process.awaitLog(
                log -> log.lines().anyMatch(line -> line.contains("new blockfile") && line.contains("/" + last)));
        String log = process.log();
        return new Recorded(counted(log, 1), counted(log, 2), cpuSeconds() - before);
    }

    /** Lets stenographer use all cores from now on. */
    void useAllCores() throws IOException, InterruptedException {
        for (ProcessHandle one : process.processes()) {
            ProgramRun.onAllCores(one.pid());
        }
    }

    private double cpuSeconds() throws IOException {
        double seconds = 0;
        for (ProcessHandle one : process.processes()) {
            seconds += ThreadTimes.cpuSeconds(one.pid());
        }
        return seconds;
    }

    /** Returns the last number of a group, a counter since the start. */
    private static long counted(String log, int group) {
        long last = 0;
        for (Matcher matcher = COUNTED.matcher(log); matcher.find(); ) {
            last = Long.parseLong(matcher.group(group));
        }
        return last;
    }

    /** Waits until stenographer writes another file than now. */
    public void awaitNextFile() throws IOException, InterruptedException {
        String before = fileOfNow();
        while (fileOfNow().equals(before)) {
            Thread.sleep(POLL_MS);
        }
    }

    /** Returns the name of the newest file; names begin with a dot while the file is written. */
    private String fileOfNow() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("packets"))) {
            return files.map(file -> file.getFileName().toString())
                    .map(name -> name.startsWith(".") ? name.substring(1) : name)
                    .sorted()
                    .reduce("", (before, name) -> name);
        }
    }

    /** Returns the bytes of the indices of files available to queries. */
    long indexBytes() throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.list(folder.resolve("index"))) {
            for (Path file : files.toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    /**
     * Sends a query.
     *
     * @param into file for the answer
     * @return milliseconds from the request to the complete answer, without the TLS handshake
     */
    double ask(String question, Path into) throws IOException, InterruptedException {
        Path certs = process.certificates();
        return Curl.ask(
                wire::runWhereReceived,
                List.of(
                        "--cert",
                        certs.resolve("client_cert.pem").toString(),
                        "--key",
                        certs.resolve("client_key.pem").toString(),
                        "--cacert",
                        certs.resolve("ca_cert.pem").toString()),
                question,
                into,
                "https://127.0.0.1:" + PORT + "/query");
    }

    /** Drops the files from the page cache. */
    void forget() throws IOException, InterruptedException {
        PageCache.forget(folder);
    }

    /** Ends stenographer, and deletes its files. */
    @Override
    public void close() throws IOException {
        process.close();
        BenchFolder.delete(folder);
    }
}
