package io.chimera.node.plugin;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.plugin.PluginJar;
import io.chimera.node.ChimeraHome;
import io.chimera.node.child.FreePorts;
import io.chimera.node.replay.RowCatcher;
import io.chimera.node.watch.NodeClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node with good and bad plugins in folders survives, loses no data of the good plugins, and names each bad plugin
 * with a remedy.
 */
@Tag("it")
final class PluginFencesIT {

    /** JAR copied by the build. */
    private static final Path OLD_GUAVA =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("target/old-guava/guava-18.0.jar");

    private static final String AGGREGATOR = """
            package p;
            public final class %1$s implements io.chimera.api.spi.Aggregator<%1$s.State> {
                public static final class State { double sum; }
                public String name() { return "%2$s"; }
                public State create() { return new State(); }
                public void fold(State state, double value, long timeNs) { %3$s state.sum += value; }
                public void merge(State into, State from) { into.sum += from.sum; }
                public double result(State state) { return state.sum; }
            }
            """;

    private final NodeClient client = new NodeClient();
    private final HttpClient http = HttpClient.newHttpClient();
    private final String node = freeAddress();
    private final String input = freeAddress();
    private final String words = freeAddress();
    private final String zooKeeper = freeAddress();
    private final RowCatcher store = new RowCatcher();
    private Process process;

    @TempDir
    Path folder;

    PluginFencesIT() throws IOException {}

    @AfterEach
    void stop() throws InterruptedException {
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
        store.close();
    }

    private void aggregator(String plugin, String type, String name, String code) throws IOException {
        new PluginJar()
                .version("1.4")
                .provide("Aggregator", "p." + type, AGGREGATOR.formatted(type, name, code))
                .write(folder.resolve("plugins").resolve(plugin).resolve(plugin + ".jar"));
    }

    @Test
    void livesWithPoisonAndWithPluginsThatWaitOrLoopAndWithAnOldGuava() throws Exception {
        aggregator(
                "poisonous", "Poisonous", "poisonous", "if (value == 13) throw new IllegalStateException(\"poison\");");
        aggregator(
                "waiting",
                "Waiting",
                "waiting",
                "if (value == 14) try { new Object() { synchronized void on() throws InterruptedException { wait(); } }.on(); }"
                        + " catch (InterruptedException e) { throw new IllegalStateException(e); }");
        aggregator("looping", "Looping", "looping", "while (value == 15) { state.sum++; }");
        aggregator(
                "hungry",
                "Hungry",
                "hungry",
                "if (value == 16) { state.sum += new long[Integer.MAX_VALUE].length; }"); // spares the other threads
        Path guava = folder.resolve("plugins/aged/lib/guava-18.0.jar");
        Files.createDirectories(guava.getParent());
        Files.copy(OLD_GUAVA, guava);
        new PluginJar()
                .against(guava)
                .provide(
                        "Aggregator",
                        "p.Aged", // Guava removed Objects.firstNonNull in version 21
                        AGGREGATOR.formatted(
                                "Aged",
                                "aged",
                                "value = com.google.common.base.Objects.firstNonNull(null, value + 1);"))
                .write(folder.resolve("plugins/aged/aged.jar"));
        start(
                "all: { aggregate: { functions: [count, poisonous, waiting, looping, hungry, aged] }, stores: [kairos] }",
                "");

        write("""
                good,host=a value=1
                good,host=a value=2
                bad,host=a value=13
                bad,host=a value=14
                bad,host=a value=15
                bad,host=a value=16
                bad,host=a value=1
                """);

        await().untilAsserted(() -> {
            assertThat(total("good.value.count")).isEqualTo(2);
            assertThat(total("bad.value.count")).isEqualTo(1);
        });
        assertThat(total("good.value.aged")).isEqualTo(5);
        assertThat(total("good.value.poisonous")).isEqualTo(3);
        String letters = Files.readString(folder.resolve("data/processor/dead-letter-points.jsonl"));
        assertThat(letters.lines()).hasSizeGreaterThanOrEqualTo(4);
        assertThat(letters).contains("IllegalStateException: poison").contains("plugin poisonous 1.4");
        assertThat(log())
                .contains("aggregator 'poisonous' of plugin poisonous 1.4 (" + folder.resolve("plugins/poisonous"))
                .contains("aggregator 'waiting' of plugin waiting 1.4")
                .contains("does not return from fold within 500ms (plugins.call_timeout)")
                .contains("java.lang.Object.wait")
                .contains("aggregator 'hungry' of plugin hungry 1.4")
                .contains("aggregator 'looping' of plugin looping 1.4")
                .contains("Correct the plugin");
        assertThat(process.isAlive()).isTrue();
        assertThat(client.isReady(node)).isTrue();

        write("good,host=b value=5\n");
        await().untilAsserted(() -> assertThat(total("good.value.count")).isEqualTo(3));
    }

    @Test
    void quarantinesAPluginThatFailsAgainAndAgainAndStoresTheRest() throws Exception {
        aggregator(
                "poisonous", "Poisonous", "poisonous", "if (value == 13) throw new IllegalStateException(\"poison\");");
        start("all: { aggregate: { functions: [count, poisonous] }, stores: [kairos] }", "");

        long[] sent = {0};
        await().pollInterval(Duration.ofMillis(300)).untilAsserted(() -> {
            write("bad,host=a value=13\n");
            sent[0]++;
            assertThat(log()).contains("is quarantined after 8 failures (plugins.failures_max)");
        });
        write("after,host=a value=13\n");
        await().untilAsserted(() -> assertThat(total("after.value.count")).isEqualTo(1));
        assertThat(total("after.value.poisonous")).isZero();
        assertThat(client.get("http://" + node + "/health/ready")).contains("quarantined");
        assertThat(client.get("http://" + node + "/metrics")).contains("chimera_plugin_quarantines_total");
    }

    @Test
    void livesWithABlockThatThrowsAndLoopsAheadOfTheShard() throws Exception {
        new PluginJar()
                .version("0.9")
                .provide("TransformType", "p.Picky", """
                        package p;
                        import io.chimera.api.spi.*;
                        public final class Picky implements TransformType {
                            public record Settings(Double factor) {}
                            public String name() { return "picky"; }
                            public Class<? extends Record> settings() { return Settings.class; }
                            public Transform create(PluginContext context) {
                                double factor = context.settings(Settings.class).factor();
                                return (point, out) -> {
                                    double value = point.number(0);
                                    if (value == 13) throw new IllegalStateException("poison");
                                    for (long i = 0; value == 14; i++) {}
                                    out.point(0).series().field("scaled", value * factor).end();
                                };
                            }
                        }
                        """)
                .write(folder.resolve("plugins/picky/picky.jar"));
        start(
                "all: { before: { blocks: { it: { type: picky, factor: 10 } } }, aggregate: { functions: [sum] }, stores:"
                        + " [kairos] }",
                "");

        write("it,host=a value=1\nit,host=a value=13\nit,host=a value=14\nit,host=a value=2\n");

        await().untilAsserted(() -> assertThat(total("it.scaled.sum")).isEqualTo(30));
        assertThat(log())
                .contains("transform 'picky' of plugin picky 0.9 (" + folder.resolve("plugins/picky"))
                .contains("does not return from apply within 500ms");
        assertThat(process.isAlive()).isTrue();
        assertThat(client.isReady(node)).isTrue();
    }

    @Test
    void takesParsersSourcesAndStoresOfPlugins() throws Exception {
        new PluginJar().provide("ParserType", "p.Words", """
                        package p;
                        import io.chimera.api.spi.*;
                        public final class Words implements ParserType {
                            public record Settings(String metric) {}
                            public String name() { return "words"; }
                            public Class<? extends Record> settings() { return Settings.class; }
                            public Parser create(PluginContext context) {
                                byte[] metric = context.settings(Settings.class).metric().getBytes();
                                return (chunk, sink) -> {
                                    int length = chunk.limit() - chunk.offset();
                                    if (!chunk.last() || length == 0) return true;
                                    if (!sink.begin(length + 20)) return false;
                                    sink.metric(metric, 0, metric.length);
                                    sink.field("n".getBytes(), 0, 1, 1, length);
                                    sink.end();
                                    chunk.consumedTo(chunk.limit(), 0);
                                    return true;
                                };
                            }
                        }
                        """).write(folder.resolve("plugins/words/words.jar"));
        new PluginJar().provide("Source", "p.Ticks", """
                        package p;
                        import io.chimera.api.spi.*;
                        public final class Ticks implements Source {
                            public record Settings(Integer ticks) {}
                            private static int left = -1;
                            private int given;
                            public String name() { return "ticks"; }
                            public Class<? extends Record> settings() { return Settings.class; }
                            public void open(PluginContext context) {
                                if (left < 0) left = context.settings(Settings.class).ticks();
                            }
                            public boolean poll(PointBuilder out) {
                                given = left > 0 ? 1 : 0;
                                if (given == 1) out.metric("tick").tag("host", "a").field("n", 1L).end();
                                return given == 1;
                            }
                            public void journaled() { left -= given; }
                        }
                        """).write(folder.resolve("plugins/ticks/ticks.jar"));
        new PluginJar().provide("Store", "p.Lines", """
                        package p;
                        import io.chimera.api.model.Row;
                        import io.chimera.api.spi.*;
                        import java.nio.file.*;
                        import java.util.List;
                        public final class Lines implements Store {
                            public record Settings(Path file) {}
                            private Path file;
                            public String name() { return "lines"; }
                            public Class<? extends Record> settings() { return Settings.class; }
                            public void open(PluginContext context) { file = context.settings(Settings.class).file(); }
                            public void write(List<Row> rows) throws StoreException {
                                try {
                                    for (Row row : rows) {
                                        Files.writeString(file, row.metric() + "\\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                                    }
                                } catch (java.io.IOException e) {
                                    throw new StoreException("no file", true, e);
                                }
                            }
                        }
                        """).write(folder.resolve("plugins/lines/lines.jar"));
        Path lines = folder.resolve("rows.txt");
        start(
                "all: { aggregate: { functions: [count] }, stores: [kairos, lines] }",
                "words: { type: words, http: \"" + words + "\", metric: spoken }, ticks: { type: ticks, ticks: 7 }",
                "lines: { type: lines, file: \"" + lines + "\" }");

        post(words, "/any", "hello");

        await().untilAsserted(() -> {
            assertThat(total("tick.n.count")).isEqualTo(7);
            assertThat(total("spoken.n.count")).isEqualTo(1);
            assertThat(Files.readString(lines)).contains("tick.n.count").contains("spoken.n.count");
        });
    }

    private double total(String metric) {
        return store.rows().entrySet().stream()
                .filter(row -> row.getKey().startsWith(metric + " "))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("node.log"));
    }

    private void start(String pipeline, String inputs) throws IOException {
        start(pipeline, inputs, "");
    }

    private void start(String pipeline, String inputs, String stores) throws IOException {
        Path file = Files.writeString(folder.resolve("node.yaml"), """
                node: { id: n1, host: 127.0.0.1, data_dir: "%s", http: "%s" }
                coordinator: { connect: "%s", embedded: { run: always, address: "%s" } }
                cycle: { every: 300ms }
                queue: { address: "127.0.0.1:0", journal: { max_bytes: 256MiB, reserve: 1MiB } }
                processor: { address: "127.0.0.1:0" }
                inputs: { influx: { http: "%s" }%s }
                pipelines: { %s }
                stores: { kairos: { url: "%s" }%s }
                plugins: { folder: "%s", call_timeout: 500ms, failures_max: 8 }
                """.formatted(
                        folder.resolve("data"),
                        node,
                        zooKeeper,
                        zooKeeper,
                        input,
                        inputs.isEmpty() ? "" : ", " + inputs,
                        pipeline,
                        store.url(),
                        stores.isEmpty() ? "" : ", " + stores,
                        folder.resolve("plugins")));
        process = new ProcessBuilder(ChimeraHome.find()
                        .nodeCommand(List.of("-Xmx256m"), List.of("run", "all", "-c", file.toString())))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("node.log").toFile())
                .start();
        await().until(() -> client.isReady(node));
    }

    private void write(String lines) throws IOException, InterruptedException {
        post(input, "/write", lines);
    }

    private void post(String address, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + path))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        assertThat(http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(204);
    }

    private static String freeAddress() {
        return new FreePorts(1).next();
    }
}
