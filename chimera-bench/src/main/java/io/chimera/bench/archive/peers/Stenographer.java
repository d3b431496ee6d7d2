package io.chimera.bench.archive.peers;

import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.capture.ThreadTimes;
import io.chimera.bench.capture.Wire;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.report.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** stenographer in the wire's namespace: what it records there, and answers. */
public final class Stenographer implements AutoCloseable {
    /** Half of its default, and more than all packets take: it falls behind on one core, and is not to lose any. */
    private static final int RING_MIB = 1024;

    /** A block that is not full is written then. */
    private static final int BLOCK_AGE_S = 5;

    /** All packets in one file, which costs it least; a multiple of the age of blocks. */
    private static final int FILE_AGE_S = 20;

    private static final int FILE_AGE_QUICK_S = 10;
    private static final int VERBOSITY = 2;
    private static final int PORT = 1234;
    private static final long POLL_MS = 10;
    private static final Pattern COUNTED = Pattern.compile("packets=(\\d+) .*drops=(\\d+)");

    private final Wire wire;
    private final Path folder;
    private final StenographerProcess process;

    /**
     * What it counted.
     *
     * @param packets that it took
     * @param dropped that it did not
     * @param cpuSeconds of processors that it used
     */
    public record Recorded(long packets, long dropped, double cpuSeconds) {}

    private Stenographer(Wire wire, Path folder, StenographerProcess process) {
        this.wire = wire;
        this.folder = folder;
        this.process = process;
    }

    /**
     * Starts it, with files that are closed after {@link #FILE_AGE_S} seconds instead of sixty.
     *
     * @throws IOException when it is not installed, or does not run: what it said last
     */
    static Stenographer start(BenchSite site, Wire wire) throws IOException, InterruptedException {
        return start(
                BenchFolder.emptied(site.folder().resolve("stenographer")),
                wire,
                BLOCK_AGE_S,
                site.isQuick() ? FILE_AGE_QUICK_S : FILE_AGE_S);
    }

    /**
     * Starts it.
     *
     * @param folder takes all it writes
     * @param blockAgeS seconds after which a block is written that is not full
     * @param fileAgeS seconds after which a file is closed, a multiple of these
     */
    public static Stenographer start(Path folder, Wire wire, int blockAgeS, int fileAgeS)
            throws IOException, InterruptedException {
        return new Stenographer(
                wire,
                folder,
                StenographerProcess.start(
                        new StenographerProcess.Setup(
                                folder,
                                List.of(folder),
                                Tool.require("stenotype"),
                                PORT,
                                blockAgeS,
                                fileAgeS,
                                RING_MIB,
                                VERBOSITY),
                        wire::whereReceived));
    }

    /** Records while packets are sent, and until all of them can be asked for. */
    public Recorded record(PeerPart.Work sending, long packets) throws IOException, InterruptedException {
        double before = cpuSeconds();
        sending.run();
        process.awaitLog(log -> counted(log, 1) + counted(log, 2) >= packets);
        String last = fileOfNow();
        process.awaitLog(
                log -> log.lines().anyMatch(line -> line.contains("new blockfile") && line.contains("/" + last)));
        String log = process.log();
        return new Recorded(counted(log, 1), counted(log, 2), cpuSeconds() - before);
    }

    /** What it does from now on has all cores. */
    void useAllCores() throws IOException, InterruptedException {
        for (ProcessHandle one : process.processes()) {
            Tool.onAllCores(one.pid());
        }
    }

    private double cpuSeconds() throws IOException {
        double seconds = 0;
        for (ProcessHandle one : process.processes()) {
            seconds += ThreadTimes.cpuSeconds(one.pid());
        }
        return seconds;
    }

    /** The last number of a group: it counts from the start. */
    private static long counted(String log, int group) {
        long last = 0;
        for (Matcher matcher = COUNTED.matcher(log); matcher.find(); ) {
            last = Long.parseLong(matcher.group(group));
        }
        return last;
    }

    /** Waits until it writes another file than now. */
    public void awaitNextFile() throws IOException, InterruptedException {
        String before = fileOfNow();
        while (fileOfNow().equals(before)) {
            Thread.sleep(POLL_MS);
        }
    }

    /** Names of files begin with a dot while they are written. */
    private String fileOfNow() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("packets"))) {
            return files.map(file -> file.getFileName().toString())
                    .map(name -> name.startsWith(".") ? name.substring(1) : name)
                    .sorted()
                    .reduce("", (before, name) -> name);
        }
    }

    /** Bytes of the indices of files that can be asked for. */
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
     * Asks.
     *
     * @param into takes the answer
     * @return milliseconds from the request until the answer was whole, without the handshake of the connection
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

    /** Its files are on the disk only. */
    void forget() throws IOException, InterruptedException {
        PageCache.forget(folder);
    }

    /** Ends it, and deletes what it wrote. */
    @Override
    public void close() throws IOException {
        process.close();
        BenchFolder.delete(folder);
    }
}
