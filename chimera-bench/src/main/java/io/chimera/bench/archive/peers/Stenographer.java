package io.chimera.bench.archive.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.capture.ThreadTimes;
import io.chimera.bench.capture.Wire;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.report.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * stenographer with stenotype, as Debian has it, but for: own folders, an own certificate authority, the wire's namespace, and
 * files that are closed after {@link #FILE_AGE_S} seconds instead of sixty, so that they can be asked earlier. It runs as root without
 * its sandbox, which knows no newer kernels, and without watchdogs, which end it where no packets come.
 */
final class Stenographer implements AutoCloseable {
    /** Half of its default, and more than all packets take: it falls behind on one core, and is not to lose any. */
    private static final int RING_MIB = 1024;

    /** A block that is not full is written then. */
    private static final int BLOCK_AGE_S = 5;

    /** All packets in one file, which costs it least; a multiple of the age of blocks. */
    private static final int FILE_AGE_S = 20;

    private static final int FILE_AGE_QUICK_S = 10;
    private static final int PORT = 1234;
    private static final long PATIENCE_MS = 90_000;
    private static final long POLL_MS = 200;
    private static final long END_S = 10;
    private static final String STARTED = "starting to process packets";
    private static final Pattern COUNTED = Pattern.compile("packets=(\\d+) .*drops=(\\d+)");

    private final Wire wire;
    private final Path folder;
    private final Process process;
    private final List<ProcessHandle> all = new ArrayList<>();
    private final Thread atExit = new Thread(this::end, "stenographer");

    /** What it counted. */
    record Recorded(long packets, long dropped, double cpuSeconds) {}

    private Stenographer(Wire wire, Path folder, Process process) {
        this.wire = wire;
        this.folder = folder;
        this.process = process;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Starts it.
     *
     * @throws IOException when it is not installed, or does not run: what it said last
     */
    static Stenographer start(BenchSite site, Wire wire) throws IOException, InterruptedException {
        Tool.require("stenotype");
        Tool.require("jq"); // for stenokeys
        Tool.require("openssl");
        String program = Tool.require("stenographer");
        Path folder = BenchFolder.emptied(site.folder().resolve("stenographer"));
        for (String name : List.of("packets", "index", "certs", "tmp")) {
            Files.createDirectories(folder.resolve(name));
        }
        Path config = Files.writeString(
                folder.resolve("config"), config(folder, site.isQuick() ? FILE_AGE_QUICK_S : FILE_AGE_S), UTF_8);
        String env = Tool.require("env");
        Tool.run(List.of(env, "STENOGRAPHER_CONFIG=" + config, Tool.require("stenokeys"), "root", "root"));
        // stenotype outlives a signal; what is in a namespace of processes ends with the first of them
        List<String> command = List.of(
                Tool.require("unshare"),
                "--pid",
                "--fork",
                "--kill-child=KILL",
                env,
                "TMPDIR=" + folder.resolve("tmp"),
                program,
                "-syslog=false",
                "-v",
                "2",
                "-config",
                config.toString());
        Process process = new ProcessBuilder(wire.whereReceived(command))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        Stenographer stenographer = new Stenographer(wire, folder, process);
        try {
            stenographer.awaitLog(log -> log.contains(STARTED));
            stenographer.all.add(process.toHandle());
            process.descendants().forEach(stenographer.all::add);
            return stenographer;
        } catch (IOException | InterruptedException e) {
            stenographer.close();
            throw e;
        }
    }

    private static String config(Path folder, int fileAgeS) throws IOException {
        return """
                {"Threads": [{"PacketsDirectory": "%1$s/packets", "IndexDirectory": "%1$s/index", "DiskFreePercentage": 1}],
                 "StenotypePath": "%2$s", "Interface": "%3$s", "Port": %4$d, "Host": "127.0.0.1",
                 "Flags": ["-v", "--stats_blocks=1", "--uid=root", "--gid=root", "--seccomp=none", "--no_watchdogs",
                           "--blockage_sec=%5$d", "--fileage_sec=%6$d", "--blocks=%7$d"],
                 "CertPath": "%1$s/certs"}
                """.formatted(folder, Tool.require("stenotype"), Wire.RECEIVER, PORT, BLOCK_AGE_S, fileAgeS, RING_MIB);
    }

    /** Records while packets are sent, and until all of them can be asked for. */
    Recorded record(PeerPart.Work sending, long packets) throws IOException, InterruptedException {
        double before = cpuSeconds();
        sending.run();
        awaitLog(log -> counted(log, 1) + counted(log, 2) >= packets);
        String last = fileOfNow();
        awaitLog(log -> log.lines().anyMatch(line -> line.contains("new blockfile") && line.contains("/" + last)));
        String log = log();
        return new Recorded(counted(log, 1), counted(log, 2), cpuSeconds() - before);
    }

    private double cpuSeconds() throws IOException {
        double seconds = 0;
        for (ProcessHandle one : all) {
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
        Path certs = folder.resolve("certs");
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

    /** Lets the page cache forget its files: an archive is larger than memory, and ours reads past that cache. */
    void forget() throws IOException, InterruptedException {
        for (String name : List.of("packets", "index")) {
            try (Stream<Path> files = Files.list(folder.resolve(name))) {
                for (Path file : files.toList()) {
                    Tool.run(List.of(Tool.require("sync"), file.toString())); // what is not on the disk stays in memory
                    Tool.run(List.of(Tool.require("dd"), "if=" + file, "iflag=nocache", "count=0", "status=none"));
                }
            }
        }
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("log"), UTF_8);
    }

    private void awaitLog(Predicate<String> isSeen) throws IOException, InterruptedException {
        for (long waited = 0; !isSeen.test(log()); waited += POLL_MS) {
            if (!process.isAlive()) {
                throw new IOException("stenographer ended: " + lastLine());
            }
            if (waited > PATIENCE_MS) {
                throw new IOException("stenographer is not done after " + PATIENCE_MS + " ms: " + lastLine());
            }
            Thread.sleep(POLL_MS);
        }
    }

    private String lastLine() throws IOException {
        return log().lines()
                .filter(line -> line.contains("stenotype.cc") || line.contains("CHECK") || !line.contains("stenotype"))
                .reduce(
                        "it said nothing",
                        (before, line) -> line.contains("CHECK") || !before.contains("CHECK") ? line : before);
    }

    private void end() {
        process.destroyForcibly();
        try {
            for (ProcessHandle one : all) {
                one.onExit().get(END_S, TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            System.err.println("stenographer is still there: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        end();
        Runtime.getRuntime().removeShutdownHook(atExit);
        BenchFolder.delete(folder);
    }
}
