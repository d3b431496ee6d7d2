package io.chimera.bench.archive.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.bench.capture.Wire;
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
import java.util.stream.Collectors;

/**
 * stenographer with stenotype, as Debian has it, but for: own folders, an own certificate authority, and files that are closed earlier,
 * so that they can be asked. It runs as root without its sandbox, which knows no newer kernels, and without watchdogs, which end it
 * where no packets come. Its processes end with this one, however that ends.
 */
public final class StenographerProcess implements AutoCloseable {
    private static final long PATIENCE_MS = 90_000;
    private static final long POLL_MS = 100;
    private static final long END_S = 10;
    private static final String STARTED = "starting to process packets";

    private final Path folder;
    private final Process process;
    private final List<ProcessHandle> all = new ArrayList<>();
    private final Thread atExit = new Thread(this::end, "stenographer");

    private StenographerProcess(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** Makes a command of another that runs it somewhere. */
    @FunctionalInterface
    public interface Place {
        /** The command. */
        List<String> command(List<String> there) throws IOException;
    }

    /**
     * How it is run.
     *
     * @param folder takes its log and its keys
     * @param stores of its threads: each has its packets and its index there
     * @param stenotype what records; it says so in the words of the real one
     * @param port on 127.0.0.1, where it answers
     * @param blockAgeS seconds after which a block is written that is not full
     * @param fileAgeS seconds after which a file is closed
     * @param ringMib of each thread
     * @param verbosity 2 to be told which files can be asked for, 1 which are being opened; a question is not told of then
     */
    public record Setup(
            Path folder,
            List<Path> stores,
            String stenotype,
            int port,
            int blockAgeS,
            int fileAgeS,
            int ringMib,
            int verbosity) {
        private String config() {
            String threads = stores.stream().map(store -> """
                    {"PacketsDirectory": "%1$s/packets", "IndexDirectory": "%1$s/index", "DiskFreePercentage": 1}""".formatted(store)).collect(Collectors.joining(", "));
            return """
                {"Threads": [%s],
                 "StenotypePath": "%s", "Interface": "%s", "Port": %d, "Host": "127.0.0.1",
                 "Flags": ["-v", "--stats_blocks=1", "--uid=root", "--gid=root", "--seccomp=none", "--no_watchdogs",
                           "--blockage_sec=%d", "--fileage_sec=%d", "--blocks=%d"],
                 "CertPath": "%s/certs"}
                """.formatted(threads, stenotype, Wire.RECEIVER, port, blockAgeS, fileAgeS, ringMib, folder);
        }
    }

    /**
     * Starts it.
     *
     * @throws IOException when it is not installed, or does not run: what it said last
     */
    public static StenographerProcess start(Setup setup, Place place) throws IOException, InterruptedException {
        Tool.require("jq"); // for stenokeys
        Tool.require("openssl");
        String program = Tool.require("stenographer");
        Path folder = setup.folder;
        for (String name : List.of("certs", "tmp")) {
            Files.createDirectories(folder.resolve(name));
        }
        for (Path store : setup.stores) {
            Files.createDirectories(store.resolve("packets"));
            Files.createDirectories(store.resolve("index"));
        }
        Path config = Files.writeString(folder.resolve("config"), setup.config(), UTF_8);
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
                Integer.toString(setup.verbosity),
                "-config",
                config.toString());
        Process process = new ProcessBuilder(place.command(command))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        StenographerProcess stenographer = new StenographerProcess(folder, process);
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

    /** Its processes. */
    List<ProcessHandle> processes() {
        return all;
    }

    /** Where the keys of its clients lie. */
    public Path certificates() {
        return folder.resolve("certs");
    }

    /** All it said. */
    public String log() throws IOException {
        return Files.readString(folder.resolve("log"), UTF_8);
    }

    /** Waits until it said something. */
    public void awaitLog(Predicate<String> isSeen) throws IOException, InterruptedException {
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

    /** Ends it; what it wrote stays. */
    @Override
    public void close() {
        end();
        Runtime.getRuntime().removeShutdownHook(atExit);
    }
}
