package io.chimera.processor.store.kairosdb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chimera.common.agent.Waits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A real KairosDB server with its embedded H2, in a separate process on loopback. The class path comes from the module
 * chimera-kairosdb-server, the flags from conf/kairosdb.
 */
public final class KairosDbServer implements AutoCloseable {
    /** Surefire and Failsafe set the folder of the module; otherwise tests run in the folder of the module. */
    private static final Path ROOT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    /** Mode of H2's writes to its file. */
    public enum Writes {
        /** Half a second after KairosDB's acknowledgement: a kill loses the last rows. */
        DELAYED,
        /** Before KairosDB's acknowledgement. */
        DURABLE,
        /** A minute later, so a kill always loses the last rows. */
        FORGETFUL
    }

    private final Path folder;
    private final int port;

    /** Lines of its configuration besides the common lines of all servers. */
    private final List<String> settings;

    private Writes writes;
    private final HttpClient http = HttpClient.newHttpClient();
    private final ObjectMapper json = new ObjectMapper();
    private final Thread killer = new Thread(this::kill);
    private Process process;

    private KairosDbServer(Path folder, int port, Writes writes, List<String> settings) {
        this.folder = folder;
        this.port = port;
        this.writes = writes;
        this.settings = settings;
    }

    /**
     * Starts a server and waits until the server answers.
     *
     * @param folder for its data and log
     */
    public static KairosDbServer start(Path folder) {
        return start(folder, Writes.DELAYED);
    }

    /**
     * Starts a server and waits until the server answers.
     *
     * @param folder for its data and log
     * @param writes mode of the database's writes to its file
     */
    public static KairosDbServer start(Path folder, Writes writes) {
        KairosDbServer server = new KairosDbServer(folder, freePort(), writes, List.of());
        server.start();
        return server;
    }

    /**
     * Starts a server that also accepts TLS, on a separate port.
     *
     * @param folder for its data and log
     * @param keyStore its key and certificate as PKCS12
     * @param tlsPort a free port
     */
    static KairosDbServer startTls(Path folder, Path keyStore, String password, int tlsPort) {
        List<String> settings = List.of(
                "kairosdb.jetty.ssl.port=" + tlsPort,
                "kairosdb.jetty.ssl.protocols=TLSv1.2",
                "kairosdb.jetty.ssl.keystore.path=" + keyStore,
                "kairosdb.jetty.ssl.keystore.password=" + password);
        KairosDbServer server = new KairosDbServer(folder, freePort(), Writes.DELAYED, settings);
        server.start();
        return server;
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the server; after {@link #stop}, on the same port with the same data. */
    public void start() {
        Path lib = ROOT.resolve("chimera-kairosdb-server/target/lib");
        if (!Files.isDirectory(lib)) {
            throw new IllegalStateException(
                    lib + " is missing; build it with: mvn -q package -pl chimera-kairosdb-server");
        }
        try {
            List<String> lines = new ArrayList<>(List.of(
                    "kairosdb.jetty.address=127.0.0.1",
                    "kairosdb.jetty.port=" + port,
                    "kairosdb.telnetserver.address=127.0.0.1",
                    "kairosdb.telnetserver.port=0",
                    "kairosdb.datastore.h2.database_path=" + folder.resolve("h2")));
            lines.addAll(settings);
            Path config = Files.write(folder.resolve("local.conf"), lines);
            process = new ProcessBuilder(command(lib, config))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(killer);
        Waits.await("KairosDB answers; see " + log())
                .pollInterval(Duration.ofMillis(100))
                .until(this::answers);
    }

    private List<String> command(Path lib, Path config) {
        Path conf = ROOT.resolve("conf");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + conf.resolve("kairosdb/jvm.options"));
        if (Runtime.version().feature() >= 23) {
            command.add("@" + conf.resolve("jvm-23plus.options"));
        }
        if (writes != Writes.DELAYED) {
            command.add("@" + conf.resolve("kairosdb/h2-durable.options"));
        }
        if (writes == Writes.FORGETFUL) {
            command.add("-Dc3p0.extensions.initSql=SET WRITE_DELAY 60000"); // the last of equal flags counts
        }
        command.addAll(List.of(
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.configurationFile=" + conf.resolve("kairosdb/logback.xml"),
                "-cp",
                lib + "/*",
                "org.kairosdb.core.Main",
                "-c",
                "run",
                "-p",
                config.toString()));
        return command;
    }

    private boolean answers() throws IOException {
        if (!process.isAlive()) {
            throw new IllegalStateException(
                    "KairosDB ended with " + process.exitValue() + ":\n" + Files.readString(log()));
        }
        try {
            return get("/api/v1/version").statusCode() == 200;
        } catch (IOException e) {
            return false; // not listening yet
        }
    }

    private Path log() {
        return folder.resolve("kairosdb.log");
    }

    /** Returns the address: {@code http://127.0.0.1:<port>}. */
    public String url() {
        return "http://127.0.0.1:" + port;
    }

    /**
     * Reads a series back.
     *
     * @param metric its name
     * @param fromMs first time
     * @param toMs last time
     * @return for each group of equal tags {@code {tag=value}} the values by time, as written by KairosDB
     */
    public Map<String, Map<Long, String>> read(String metric, List<String> tags, long fromMs, long toMs) {
        Map<String, Map<Long, String>> series = new TreeMap<>();
        for (JsonNode result : results(metric, tags, fromMs, toMs)) {
            Map<Long, String> values = series.computeIfAbsent(tagsOf(result), key -> new TreeMap<>());
            result.get("values")
                    .forEach(
                            pair -> values.put(pair.get(0).asLong(), pair.get(1).asText()));
        }
        series.values().removeIf(Map::isEmpty);
        return series;
    }

    /**
     * Returns every data point as {@code {tag=value} time value}; a long and a double with the same time are two
     * points.
     */
    List<String> points(String metric, List<String> tags, long fromMs, long toMs) {
        List<String> points = new ArrayList<>();
        for (JsonNode result : results(metric, tags, fromMs, toMs)) {
            result.get("values")
                    .forEach(pair -> points.add(tagsOf(result) + " "
                            + pair.get(0).asText() + " " + pair.get(1).asText()));
        }
        return points;
    }

    private static String tagsOf(JsonNode result) {
        TreeMap<String, String> named = new TreeMap<>();
        result.get("tags")
                .properties()
                .forEach(tag -> named.put(tag.getKey(), tag.getValue().path(0).asText()));
        return named.toString();
    }

    private JsonNode results(String metric, List<String> tags, long fromMs, long toMs) {
        var query = json.createObjectNode().put("start_absolute", fromMs).put("end_absolute", toMs);
        var wanted = query.putArray("metrics").addObject().put("name", metric);
        if (!tags.isEmpty()) {
            var group = wanted.putArray("group_by").addObject().put("name", "tag");
            tags.forEach(group.putArray("tags")::add);
        }
        return post("/api/v1/datapoints/query", query.toString()).at("/queries/0/results");
    }

    private JsonNode post(String path, String body) {
        try {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(URI.create(url() + path))
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException("KairosDB answered " + answer.statusCode() + " " + answer.body());
            }
            return json.readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private HttpResponse<String> get(String path) throws IOException {
        try {
            return http.send(
                    HttpRequest.newBuilder(URI.create(url() + path)).build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Stops the server; its data stays. */
    public void stop() {
        Runtime.getRuntime().removeShutdownHook(killer);
        kill();
    }

    /** Ends the server like kill -9 and restarts the server. */
    public void crash(Writes next) {
        Runtime.getRuntime().removeShutdownHook(killer);
        try {
            process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        writes = next;
        start();
    }

    /**
     * Waits until H2 applies the configured write delay. H2's writer thread reads the delay after its first wait,
     * half a second after the start: rows written earlier would survive a kill.
     */
    public void awaitWriteDelay() {
        long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        Waits.await().until(() -> System.nanoTime() - untilNs >= 0);
    }

    private void kill() {
        process.destroy();
        try {
            if (!process.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            stop();
        }
    }
}
