package io.chimera.processor.store.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.common.agent.Waits;
import io.chimera.common.config.PostgresConfig;
import io.chimera.common.config.binding.Sections;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A real PostgreSQL server in a temporary folder on loopback, as an unprivileged user. Each server has a cluster of its
 * own; the cluster of the system is not used.
 */
public final class PostgresServer implements AutoCloseable {
    /** Folder of the programs of each version on Debian. */
    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

    private static final String USER = "chimera";
    private static final String PASSWORD = "a-secret-of-the-test";
    private static final String NOBODY = "nobody";

    private final Path folder;
    private final int port;
    private final List<String> settings;
    private final Thread killer = new Thread(this::kill);
    private Process process;

    private PostgresServer(Path folder, int port, List<String> settings) {
        this.folder = folder;
        this.port = port;
        this.settings = settings;
        Runtime.getRuntime().addShutdownHook(killer);
    }

    /** Returns whether PostgreSQL is installed; scripts/setup installs PostgreSQL. */
    public static boolean isInstalled() {
        return programs().isPresent();
    }

    private static Optional<Path> programs() {
        if (!Files.exists(VERSIONS)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(VERSIONS)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .max(Comparator.comparing(Path::toString));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates a cluster, starts a server, and waits until the server answers. */
    public static PostgresServer create() {
        try {
            return create(folder(), List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates a cluster and starts a server that also accepts TLS. */
    static PostgresServer createTls(Path cert, Path key) {
        try {
            Path folder = folder();
            Path ownCert = Files.copy(cert, folder.resolve("server.crt"));
            Path ownKey = Files.copy(key, folder.resolve("server.key"));
            Files.setPosixFilePermissions(ownKey, PosixFilePermissions.fromString("rw-------"));
            return create(folder, List.of("ssl=on", "ssl_cert_file=" + ownCert, "ssl_key_file=" + ownKey));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path folder() throws IOException {
        return Files.createTempDirectory("chimera-postgres-");
    }

    private static PostgresServer create(Path folder, List<String> settings) throws IOException {
        PostgresServer server = new PostgresServer(folder, freePort(), settings);
        server.initialize();
        server.start();
        return server;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void initialize() throws IOException {
        Path secret = folder.resolve("password");
        Files.writeString(secret, PASSWORD);
        if (isRoot()) {
            run(List.of("chown", "-R", NOBODY, folder.toString()));
        }
        run(unprivileged(List.of(
                program("initdb"),
                "--pgdata=" + folder.resolve("data"),
                "--username=" + USER,
                "--pwfile=" + secret,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync")));
    }

    /** Starts the server; after {@link #kill}, with the same data. */
    public void start() {
        List<String> command = new ArrayList<>(List.of(program("postgres"), "-D", folder.resolve("data") + ""));
        List<String> all = new ArrayList<>(List.of(
                "listen_addresses=127.0.0.1", "port=" + port, "unix_socket_directories=", "logging_collector=off"));
        all.addAll(settings);
        all.forEach(setting -> command.addAll(List.of("-c", setting)));
        try {
            process = new ProcessBuilder(unprivileged(command))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Waits.await().ignoreExceptions().until(() -> !query("select 1").isEmpty());
    }

    private Path log() {
        return folder.resolve("log");
    }

    /** Returns the log of the server. */
    String logText() {
        try {
            return Files.readString(log());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** Drops root privileges, because PostgreSQL refuses to run as root. */
    private static List<String> unprivileged(List<String> command) {
        List<String> all = new ArrayList<>();
        if (isRoot()) {
            all.addAll(
                    List.of("setpriv", "--reuid=" + NOBODY, "--regid=nogroup", "--clear-groups", "--pdeathsig=KILL"));
        }
        all.addAll(command);
        return all;
    }

    private static String program(String name) {
        return programs().orElseThrow().resolve(name).toString();
    }

    private static void run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(command.get(0) + " failed: " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** Returns the address of a new database. */
    public String database(String name) {
        execute("create database " + name);
        return url(name);
    }

    private String url(String database) {
        return "postgresql://127.0.0.1:" + port + "/" + database;
    }

    int port() {
        return port;
    }

    /** Returns the access of a store that creates its tables. */
    public static PostgresConfig config() {
        return config(PASSWORD, PostgresConfig.Tables.CREATE);
    }

    static PostgresConfig config(String password, PostgresConfig.Tables tables) {
        return Sections.of(PostgresConfig.class, "user", USER, "password", password, "tables", tables);
    }

    private Connection connect(String url) throws SQLException {
        return DriverManager.getConnection("jdbc:" + url, USER, PASSWORD);
    }

    /** Ends all connections with a database. */
    void disconnect(String database) {
        query("select pg_terminate_backend(pid) from pg_stat_activity where datname = '" + database + "'");
    }

    /** Executes commands in the database of the system. */
    void execute(String command) {
        execute(url("postgres"), command);
    }

    /** Executes commands in a database. */
    public void execute(String url, String command) {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute(command);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> query(String query) {
        return query(url("postgres"), query);
    }

    /** Returns the rows of a query in a database, with columns separated by spaces. */
    public List<String> query(String url, String query) {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            List<String> rows = new ArrayList<>();
            while (result.next()) {
                StringBuilder row = new StringBuilder();
                for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
                    row.append(column == 1 ? "" : " ").append(result.getString(column));
                }
                rows.add(row.toString());
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Kills the server and its sessions, like a power cut of its process. */
    public void kill() {
        if (process == null) {
            return;
        }
        // a new server does not start next to a session of the old server
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(each -> each.onExit().join());
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(killer);
        kill();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
