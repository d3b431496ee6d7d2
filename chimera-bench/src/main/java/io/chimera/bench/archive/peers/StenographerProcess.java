package io.chimera.bench.archive.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.bench.capture.VethWire;
import io.chimera.bench.report.ProgramRun;
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
 * Runs stenographer with stenotype as packaged by Debian, with these changes: separate folders, a separate certificate
 * authority, and earlier closing of files, so that queries find the packets. Runs as root without the sandbox, which
 * does not support newer kernels, and without the watchdogs, which end stenotype when no packets arrive. All child
 * processes end with the parent, whatever ends the parent.
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

    /** Wraps a command to run elsewhere. */
    @FunctionalInterface
    public interface Place {
        /** Returns the wrapped command. */
        List<String> command(List<String> there) throws IOException;
    }

    /**
     * Setup of a run.
     *
     * @param folder folder for log and keys
     * @param stores folders of packets and index, one per thread
     * @param stenotype recording program; must print the same start message as the real stenotype
     * @param port port on 127.0.0.1 for queries
     * @param blockAgeS seconds after which an incomplete block is written
     * @param fileAgeS seconds after which a file is closed
     * @param ringMib ring size of each thread
     * @param verbosity 2 logs the files available to queries; 1 logs the files being opened and no queries
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
                """.formatted(threads, stenotype, VethWire.RECEIVER, port, blockAgeS, fileAgeS, ringMib, folder);
        }
    }

    /**
     * Starts stenographer.
     *
     * @throws IOException with the last output when stenographer is missing or does not run
     */
    public static StenographerProcess start(Setup setup, Place place) throws IOException, InterruptedException {
        ProgramRun.require("jq"); // for stenokeys
        ProgramRun.require("openssl");
        String program = ProgramRun.require("stenographer");
        Path folder = setup.folder;
        for (String name : List.of("certs", "tmp")) {
            Files.createDirectories(folder.resolve(name));
        }
        for (Path store : setup.stores) {
            Files.createDirectories(store.resolve("packets"));
            Files.createDirectories(store.resolve("index"));
        }
        Path config = Files.writeString(folder.resolve("config"), setup.config(), UTF_8);
        String env = ProgramRun.require("env");
        ProgramRun.run(List.of(env, "STENOGRAPHER_CONFIG=" + config, ProgramRun.require("stenokeys"), "root", "root"));
        // stenotype survives signals, but all processes of a PID namespace end with its first process
        List<String> command = List.of(
                ProgramRun.require("unshare"),
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

    /** Returns the processes. */
    List<ProcessHandle> processes() {
        return all;
    }

    /** Returns the folder of the client keys. */
    public Path certificates() {
        return folder.resolve("certs");
    }

    /** Returns the whole log. */
    public String log() throws IOException {
        return Files.readString(folder.resolve("log"), UTF_8);
    }

    /** Waits until the log matches. */
    public void awaitLog(Predicate<String> isSeen) throws IOException, InterruptedException {
        for (long waited = 0; !isSeen.test(log()); waited += POLL_MS) {
            if (!process.isAlive()) {
                throw new IOException("stenographer ended: " + lastLine());
            }
            if (waited > PATIENCE_MS) {
                throw new IOException("stenographer has not finished after " + PATIENCE_MS + " ms: " + lastLine());
            }
            Thread.sleep(POLL_MS);
        }
    }

    private String lastLine() throws IOException {
        return log().lines()
                .filter(line -> line.contains("stenotype.cc") || line.contains("CHECK") || !line.contains("stenotype"))
                .reduce(
                        "no output",
                        (before, line) -> line.contains("CHECK") || !before.contains("CHECK") ? line : before);
    }

    private void end() {
        process.destroyForcibly();
        try {
            for (ProcessHandle one : all) {
                one.onExit().get(END_S, TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            System.err.println("stenographer did not end: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends stenographer and keeps its files. */
    @Override
    public void close() {
        end();
        Runtime.getRuntime().removeShutdownHook(atExit);
    }
}
