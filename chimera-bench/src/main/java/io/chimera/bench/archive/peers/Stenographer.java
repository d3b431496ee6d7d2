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
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * stenographer with stenotype, as Debian has it, but for: own folders, an own certificate authority, the wire's namespace, and
 * files that are closed after {@link #FILE_AGE_S} instead of a minute, so that they can be asked earlier. It runs as root without
 * its sandbox, which knows no newer kernels, and without watchdogs, which end it where no packets come.
 */
final class Stenographer implements AutoCloseable {
    /** The least rate at which archives have to keep up; stenotype's ring of {@link #RING_MIB} helps it over short waits. */
    private static final int RING_MIB = 1024;

    private static final int FILE_AGE_S = 15;
    private static final int PORT = 1234;
    private static final long PATIENCE_MS = 90_000;
    private static final long POLL_MS = 50;
    private static final long END_S = 10;
    private static final double MS_PER_S = 1e3;
    private static final String STARTED = "starting to process packets";
    private static final Pattern COUNTED = Pattern.compile("packets=(\\d+) .*drops=(\\d+)");
    private static final Pattern TIMES = Pattern.compile("times: ([0-9.]+) ([0-9.]+)");

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
        Path config = Files.writeString(folder.resolve("config"), config(folder), UTF_8);
        String env = Tool.require("env");
        Tool.run(List.of(env, "STENOGRAPHER_CONFIG=" + config, Tool.require("stenokeys"), "root", "root"));
        List<String> command = List.of(
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

    private static String config(Path folder) throws IOException {
        return """
                {"Threads": [{"PacketsDirectory": "%1$s/packets", "IndexDirectory": "%1$s/index", "DiskFreePercentage": 1}],
                 "StenotypePath": "%2$s", "Interface": "%3$s", "Port": %4$d, "Host": "127.0.0.1",
                 "Flags": ["-v", "--stats_blocks=1", "--uid=root", "--gid=root", "--seccomp=none", "--no_watchdogs",
                           "--fileage_sec=%5$d", "--blocks=%6$d"],
                 "CertPath": "%1$s/certs"}
                """.formatted(folder, Tool.require("stenotype"), Wire.RECEIVER, PORT, FILE_AGE_S, RING_MIB);
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
        String said = wire.runWhereReceived(List.of(
                Tool.require("curl"),
                "--silent",
                "--show-error",
                "--fail",
                "--max-time",
                "60",
                "--cert",
                certs.resolve("client_cert.pem").toString(),
                "--key",
                certs.resolve("client_key.pem").toString(),
                "--cacert",
                certs.resolve("ca_cert.pem").toString(),
                "--output",
                into.toString(),
                "--write-out",
                "times: %{time_appconnect} %{time_total}",
                "--data",
                question,
                "https://127.0.0.1:" + PORT + "/query"));
        Matcher times = TIMES.matcher(said);
        if (!times.find()) {
            throw new IOException("curl does not say how long stenographer took, but " + said.strip());
        }
        return (Double.parseDouble(times.group(2)) - Double.parseDouble(times.group(1))) * MS_PER_S;
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
        return log().lines().reduce("it said nothing", (before, line) -> line);
    }

    /** stenotype ends with its parent, by a signal of the kernel; what is left of both then is ended here. */
    private void end() {
        process.descendants().filter(child -> !all.contains(child)).forEach(all::add);
        process.destroy();
        try {
            process.waitFor(END_S, TimeUnit.SECONDS);
            for (ProcessHandle one : all) {
                one.destroy();
                one.onExit()
                        .orTimeout(END_S, TimeUnit.SECONDS)
                        .exceptionally(e -> null)
                        .join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
            all.forEach(ProcessHandle::destroyForcibly);
        }
    }

    @Override
    public void close() throws IOException {
        end();
        Runtime.getRuntime().removeShutdownHook(atExit);
        BenchFolder.delete(folder);
    }
}
