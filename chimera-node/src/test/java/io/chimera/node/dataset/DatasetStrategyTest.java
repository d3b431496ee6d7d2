package io.chimera.node.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command {@code dataset run} with strategies, over the files of the example and over an HTTP server. */
final class DatasetStrategyTest {
    private static final Path EXAMPLE = ChimeraHome.find().folder().resolve("examples/datasets/backfill.yaml");
    private static final String ETAG = "\"v1\"";

    @TempDir
    Path folder;

    private final AtomicLong sent = new AtomicLong();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    /** Serves the objects of the example with ranges, and counts the bytes of the answers. */
    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] content = Files.readAllBytes(
                    EXAMPLE.resolveSibling(exchange.getRequestURI().getPath().substring(1)));
            exchange.getResponseHeaders().set("ETag", ETAG);
            if (exchange.getRequestMethod().equals("HEAD")) {
                exchange.getResponseHeaders().set("Content-Length", Integer.toString(content.length));
                exchange.sendResponseHeaders(200, -1);
                return;
            }
            String range = exchange.getRequestHeaders().getFirst("Range");
            int from = 0;
            int to = content.length;
            if (range != null) {
                String[] ends = range.substring("bytes=".length()).split("-", 2);
                from = Integer.parseInt(ends[0]);
                to = Integer.parseInt(ends[1]) + 1;
                exchange.getResponseHeaders()
                        .set("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + content.length);
            }
            sent.addAndGet(to - from);
            exchange.sendResponseHeaders(range == null ? 200 : 206, to - from);
            exchange.getResponseBody().write(content, from, to - from);
        }
    }

    private Invocation run(Path job, String... more) {
        return LocalCommand.run(job, folder.resolve("states"), more);
    }

    private static JsonNode figures(Invocation run) {
        assertThat(run.exitCode()).as(run.err()).isZero();
        return Json.read("dataset run", run.out());
    }

    private String rows(String job) throws IOException {
        return Files.readString(folder.resolve("states").resolve(job).resolve("rows.lp"));
    }

    /** The job of the example under another name, with its objects from the server. */
    private Path httpJob(String name, String more) throws IOException {
        List<String> objects = new ArrayList<>();
        try (var files = Files.list(EXAMPLE.resolveSibling("data"))) {
            files.forEach(file -> objects.add("\"" + file.getFileName() + "\""));
        }
        String text = Files.readString(EXAMPLE)
                .replace("name: backfill", "name: " + name)
                .replace(
                        "\"file:data\"",
                        "\"http://127.0.0.1:" + server.getAddress().getPort() + "/data\"")
                .replace("\"*.lp\"", String.join(", ", objects));
        return Files.writeString(folder.resolve(name + ".yaml"), text + more + "\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"stream", "copy", "overlap", "auto"})
    void theExampleHasTheSameRowsUnderEachStrategy(String strategy) throws IOException {
        figures(run(EXAMPLE));
        String expected = rows("backfill");
        Files.move(folder.resolve("states"), folder.resolve("before"));

        JsonNode figures = figures(run(EXAMPLE, "--strategy", strategy));

        assertThat(rows("backfill")).isEqualTo(expected);
        assertThat(figures.path("strategy").get(0).asText()).isEqualTo(strategy.equals("auto") ? "stream" : strategy);
        assertThat(figures.path("bytes_copied").asLong() > 0)
                .isEqualTo(strategy.equals("copy") || strategy.equals("overlap"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"copy", "overlap"})
    void aSecondJobReadsNoByteOfTheServer(String strategy) throws IOException {
        figures(run(EXAMPLE));
        JsonNode first = figures(run(httpJob("first", ""), "--strategy", strategy));
        assertThat(sent.getAndSet(0)).isPositive();
        JsonNode second = figures(run(httpJob("second", "strategy: " + strategy)));
        JsonNode third = figures(run(httpJob("third", "")));

        assertThat(sent.get()).isZero();
        assertThat(rows("first")).isEqualTo(rows("backfill"));
        assertThat(rows("second")).isEqualTo(rows("backfill"));
        assertThat(rows("third")).isEqualTo(rows("backfill"));
        assertThat(first.path("bytes_copied").asLong())
                .isEqualTo(first.path("bytes").asLong());
        assertThat(second.path("bytes_received").asLong()).isZero();
        assertThat(second.path("bytes_of_copies_read").asLong()).isPositive();
        assertThat(third.path("strategy").get(0).asText()).isEqualTo("stream");
        assertThat(third.path("bytes_received").asLong()).isZero();
    }

    @Test
    void copiesAreInTheFolderOfTheJobFile() throws IOException {
        figures(run(httpJob("first", "strategy: copy\ncopies: { folder: near, block_bytes: 64KiB }")));

        try (var files = Files.walk(folder.resolve("near"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".copy1"))).isNotEmpty();
        }
        assertThat(Files.readString(folder.resolve("states/first/report.json")))
                .contains("\"strategy\" : \"COPY\"", "\"written_bytes\" : ");
    }

    /** One replica answers, and one is away. */
    @Test
    void replicasAreReadAsOneSource() throws IOException {
        figures(run(EXAMPLE));
        Path job = httpJob("first", "");
        String text = Files.readString(job)
                .replace(
                        "/data\" }",
                        "/data\", replicas: [\"http://localhost:"
                                + server.getAddress().getPort() + "/data\", \"http://127.0.0.1:1/data\"] }");
        assertThat(text).contains("replicas");

        figures(run(Files.writeString(job, text)));

        assertThat(rows("first")).isEqualTo(rows("backfill"));
        JsonNode sources = Json.read("report", Files.readString(folder.resolve("states/first/report.json")))
                .path("sources");
        assertThat(sources).hasSize(3);
    }

    @Test
    void printsStrategyAndCopiesForPeople() throws IOException {
        Path job = httpJob("first", "strategy: auto");

        Invocation run = Invocation.of(
                "dataset",
                "run",
                job.toString(),
                "--local",
                "--folder",
                folder.resolve("states").toString());

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.err()).contains("Strategy stream: ", "sample");
    }

    @Test
    void aFolderThatCannotBeUsedEndsTheCommand() throws IOException {
        Files.writeString(folder.resolve("near"), "a file");

        Invocation run = run(httpJob("first", "strategy: overlap\ncopies: { folder: near }"));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("near", "copies.folder");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "strategy: fast",
                "copies: { block_bytes: 1KiB }",
                "copies: { block_bytes: 1GiB }",
                "copies: { max_bytes: 1B }",
                "copies: { keep_for: -1s }",
                "copies: { folders: near }"
            })
    void namesWrongKeys(String line) throws IOException {
        Invocation run = run(httpJob("first", line));

        assertThat(run.exitCode()).isEqualTo(78);
        assertThat(run.err()).contains("first.yaml", line.replaceAll("(copies: \\{ )?(\\w+):.*", "$2"));
    }

    @Test
    void refusesAnUnknownStrategyOfTheCommand() {
        Invocation run = run(EXAMPLE, "--strategy", "fast");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--strategy", "overlap");
    }
}
