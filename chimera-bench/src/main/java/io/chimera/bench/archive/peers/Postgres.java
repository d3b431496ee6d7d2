package io.chimera.bench.archive.peers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.report.ProgramRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Private PostgreSQL cluster: runs as {@code nobody} when this process is root, listens only on a socket in a folder,
 * and has no replication, so that COPY into a table of the same transaction writes no WAL.
 */
final class Postgres implements AutoCloseable {
    /** Folder of the programs of each version on Debian. */
    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

    private static final String USER = "chimera";
    private static final String NOBODY = "nobody";
    private static final long PATIENCE_MS = 20_000;
    private static final long POLL_MS = 100;
    private static final long END_S = 10;
    private static final Pattern TIME = Pattern.compile("Time: ([0-9.]+) ms");

    /** Fields of /proc/PID/stat after the name: the time of the process and of its ended children. */
    private static final int OWN_TICKS = 11;

    private static final int TICK_FIELDS = 4;
    private static final double TICK_MS = 10;

    private final Path programs;
    private final Path folder;
    private final Path sockets;
    private Process server;
    private final Thread atExit = new Thread(this::end, "postgres");

    /** Cost of commands: wall time of each, and total processor time. */
    record Took(List<Double> wallMs, double cpuMs, String said) {}

    private Postgres(Path programs, Path folder, Path sockets) {
        this.programs = programs;
        this.folder = folder;
        this.sockets = sockets;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Creates and starts a cluster.
     *
     * @throws IOException with the last output when PostgreSQL is missing or does not run
     */
    static Postgres start(BenchSite site) throws IOException, InterruptedException {
        Path programs = programs();
        Path folder = BenchFolder.emptied(site.folder().resolve("postgres"));
        // a socket path has at most 107 bytes
        Postgres postgres = new Postgres(programs, folder, Files.createTempDirectory("chimera-bench-"));
        try {
            postgres.start();
            return postgres;
        } catch (IOException | InterruptedException e) {
            postgres.close();
            throw e;
        }
    }

    private static Path programs() throws IOException {
        try (Stream<Path> versions = Files.exists(VERSIONS) ? Files.list(VERSIONS) : Stream.empty()) {
            Optional<Path> newest = versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .max(Comparator.comparing(Path::toString));
            return newest.orElseThrow(() -> new IOException("PostgreSQL is not installed; " + ProgramRun.REMEDY));
        }
    }

    private void start() throws IOException, InterruptedException {
        if (isRoot()) {
            ProgramRun.run(List.of(ProgramRun.require("chown"), NOBODY, folder.toString(), sockets.toString()));
        }
        Path data = folder.resolve("data");
        ProgramRun.run(unprivileged(List.of(
                program("initdb"), "-D", data.toString(), "-U", USER, "--auth=trust", "--no-sync", "--locale=C")));
        List<String> command = new ArrayList<>(List.of(program("postgres"), "-D", data.toString()));
        for (String setting : List.of(
                "listen_addresses=",
                "unix_socket_directories=" + sockets,
                "wal_level=minimal",
                "max_wal_senders=0",
                "max_wal_size=4GB",
                "shared_buffers=1GB")) {
            command.addAll(List.of("-c", setting));
        }
        server = new ProcessBuilder(unprivileged(command))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        awaitAnswer();
    }

    private static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    /** Drops root privileges, because PostgreSQL refuses to run as root. */
    private static List<String> unprivileged(List<String> command) throws IOException {
        List<String> all = new ArrayList<>();
        if (isRoot()) {
            all.addAll(List.of(
                    ProgramRun.require("setpriv"),
                    "--reuid=" + NOBODY,
                    "--regid=nogroup",
                    "--clear-groups",
                    "--pdeathsig=KILL"));
        }
        all.addAll(command);
        return all;
    }

    private String program(String name) {
        return programs.resolve(name).toString();
    }

    private void awaitAnswer() throws IOException, InterruptedException {
        for (long waited = 0; ; waited += POLL_MS) {
            try {
                run("select 1");
                return;
            } catch (IOException e) {
                if (!server.isAlive() || waited > PATIENCE_MS) {
                    throw new IOException("PostgreSQL does not answer: " + e.getMessage(), e);
                }
                Thread.sleep(POLL_MS);
            }
        }
    }

    /** Runs commands in one session, each as a separate transaction. */
    Took run(String... commands) throws IOException, InterruptedException {
        List<String> psql = new ArrayList<>(
                List.of(program("psql"), "-h", sockets.toString(), "-U", USER, "-d", "postgres", "-XqAt"));
        psql.addAll(List.of("-v", "ON_ERROR_STOP=1", "-c", "\\timing on"));
        for (String command : commands) {
            psql.addAll(List.of("-c", command));
        }
        double before = ticks();
        String said = ProgramRun.run(psql);
        // A session ends a little later than psql; only then the server counts its processor time.
        while (server.descendants().anyMatch(Postgres::isSession)) {
            Thread.sleep(1);
        }
        List<Double> wallMs = new ArrayList<>();
        for (Matcher time = TIME.matcher(said); time.find(); ) {
            wallMs.add(Double.parseDouble(time.group(1)));
        }
        return new Took(wallMs, (ticks() - before) * TICK_MS, said);
    }

    /**
     * Returns whether a process is a session or a parallel worker. Session processes name their user; permanent
     * processes have other names.
     */
    private static boolean isSession(ProcessHandle process) {
        try {
            String line = Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"), ISO_8859_1);
            return line.contains(": " + USER) || line.contains("parallel worker");
        } catch (IOException e) {
            return false; // the process has just ended
        }
    }

    private double ticks() throws IOException {
        double ticks = ticks(server.pid());
        for (ProcessHandle child : server.descendants().toList()) {
            ticks += ticks(child.pid());
        }
        return ticks;
    }

    private static double ticks(long pid) {
        try {
            String text = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), ISO_8859_1);
            String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
            double sum = 0;
            for (int i = OWN_TICKS; i < OWN_TICKS + TICK_FIELDS; i++) {
                sum += Double.parseDouble(fields[i]);
            }
            return sum;
        } catch (IOException e) {
            return 0; // the process has just ended
        }
    }

    private void end() {
        if (server == null) {
            return;
        }
        try {
            if (server.isAlive()) {
                ProgramRun.run(List.of(
                        // fast shutdown, without waiting for clients
                        ProgramRun.require("kill"), "-INT", Long.toString(server.pid())));
            }
            server.waitFor(END_S, TimeUnit.SECONDS);
        } catch (IOException e) {
            System.err.println("PostgreSQL was killed: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            server.destroyForcibly();
        }
    }

    @Override
    public void close() throws IOException {
        end();
        Runtime.getRuntime().removeShutdownHook(atExit);
        BenchFolder.delete(folder);
        BenchFolder.delete(sockets);
    }
}
