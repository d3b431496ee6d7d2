package io.chimera.common.config.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.CycleConfig;
import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.config.binding.ConfigProblem;
import io.chimera.common.config.binding.CyclePeriod;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.binding.YamlReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigLoaderTest {
    private final ConfigLoader loader = new ConfigLoader(Map.of("NAME", "q7", "EMPTY", "", "EVIL", "a: {b: c}"));

    @TempDir
    Path folder;

    @Test
    void takesDefaultsForAnEmptyFile() {
        assertThat(parse("")).isEqualTo(Sections.of(ChimeraConfig.class));
        assertThat(parse("# nothing\nnode:\ninputs:\npipelines: ~\ncycle: { every: }\n"))
                .isEqualTo(parse(""));
    }

    @Test
    void readsTheExampleOfTheManual() {
        ChimeraConfig config = parse("""
            node:        { role: queue, id: q1, data_dir: /var/lib/chimera }
            coordinator: { connect: "zk1:2181,zk2:2181,zk3:2181" }
            cycle:       { every: 10s, max_points: 5_000_000, in_flight: 4 }
            inputs:
              influx:    { type: influx, http: 0.0.0.0:8086, tcp: 0.0.0.0:8094, insecure: true }
            pipelines:
              cpu:
                inputs: [influx]
                where: 'cpu*'
                aggregate: { by: [host, region], functions: [count, min, max, mean, variance] }
                stores: [kairos]
            stores:
              kairos:    { type: kairosdb, url: "http://kairos:8080" }
            """);

        assertThat(config.cycle())
                .isEqualTo(new CycleConfig(
                        new CyclePeriod(Duration.ofSeconds(10)),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(30),
                        5_000_000L,
                        4,
                        Duration.ofMinutes(1)));
        assertThat(config.inputs().get("influx").http()).isEqualTo(new Endpoint("0.0.0.0", 8086));
        assertThat(config.pipelines().get("cpu").aggregate().by()).containsExactly("host", "region");
        assertThat(config.coordinator().connectString()).isEqualTo("zk1:2181,zk2:2181,zk3:2181");
        assertThat(config.coordinator().runsEmbedded()).isFalse();
    }

    @Test
    void namesPlaceAndNearestKeyOfAnUnknownOne() {
        assertThat(problemsOf("node: {}\ncycle:\n  evry: 5s\n"))
                .containsExactly("test.yaml:3: Unknown key cycle.evry; did you mean cycle.every?");
        assertThat(problemsOf("queue: { copies: 1 }\n"))
                .containsExactly("test.yaml:1: Unknown key queue.copies; it was renamed to queue.acks.");
        assertThat(problemsOf("cycles: {}\n")).containsExactly("test.yaml:1: Unknown key cycles; did you mean cycle?");
        assertThat(problemsOf("zzzzzzzz: 1\n").get(0)).contains("known keys: node, coordinator, cycle");
        assertThat(problemsOf("inputs:\n  a:\n    typ: influx\n    http: 127.0.0.1:1\n"))
                .containsExactly("test.yaml:3: Unknown key inputs.a.typ; did you mean inputs.a.type?");
        assertThat(problemsOf(
                        "inputs: { a: { type: capture, capture: { source: 'file:a', edges: direct, pool: true } } }\n"))
                .hasSize(2)
                .allSatisfy(problem -> assertThat(problem).contains("Unknown key inputs.a.capture."));
    }

    @Test
    void tellsAllProblemsAtOnceInTheOrderOfTheFile() {
        assertThat(problemsOf("""
            node:
              role: king
              http: nowhere
            cycle:
              every: 1y
              max_points: 5.5
              in_flight: 99
            queue:
              journal: { max_bytes: 1MiB, interval: 1m }
            processor: 17
            pipelines: [a]
            stores:
              "a b": {}
              k: { gzip: yes, url: "ftp://u:p@x" }
            """))
                .containsExactly(
                        "test.yaml:2: node.role is 'king'; expected one of queue, processor, coordinator,"
                                + " queue_coordinator, all.",
                        "test.yaml:3: node.http is 'nowhere'; expected an address host:port, e.g. 127.0.0.1:8086.",
                        "test.yaml:5: cycle.every is '1y'; expected auto, or a duration, e.g. 250ms, 10s, 5m or 1h.",
                        "test.yaml:6: cycle.max_points is '5.5'; expected a whole number, e.g. 5_000_000.",
                        "test.yaml:7: cycle.in_flight is 99; expected 1 to 16.",
                        "test.yaml:9: queue.journal.interval is 1m; expected 1ms to 10s.",
                        "test.yaml:9: queue.journal.max_bytes is 1MiB; expected 64MiB to 1024TiB.",
                        "test.yaml:10: processor is '17'; expected keys: address, lanes, cpus, weight, warehouse,"
                                + " max_groups, max_bytes, ring_slots.",
                        "test.yaml:11: pipelines is a list; expected names, each with its own keys.",
                        "test.yaml:13: stores.a b: a name must be up to 64 letters, digits, dots, dashes or"
                                + " underscores.",
                        "test.yaml:14: stores.k.gzip is 'yes'; expected true or false.",
                        "test.yaml:14: stores.k.url is 'ftp://[redacted]@x'; expected a URL such as"
                                + " http://kairos:8080.");
    }

    @Test
    void tellsWhatARecordSaysOfItself() {
        assertThat(problemsOf("pipelines:\n  p:\n    aggregate: { by: [a], without: [b] }\n"))
                .containsExactly("test.yaml:3: pipelines.p.aggregate: aggregate accepts by or without, not both.");
    }

    @Test
    void resolvesReferences() throws IOException {
        Files.writeString(folder.resolve("secret"), "from-file\n");
        Path file = write("chimera.yaml", """
            node: { id: "${env:NAME}", host: "${env:MISSING:-h.example}" }
            cycle: { every: "${env:EMPTY:-7}s" }
            coordinator: { cluster: "${file:secret}", path: "/a-${env:NAME}-${env:NAME}" }
            """);

        ChimeraConfig config = loader.load(file, List.of());

        assertThat(config.node().id()).isEqualTo("q7");
        assertThat(config.node().host()).isEqualTo("h.example");
        assertThat(config.cycle().every().fixed()).hasSeconds(7);
        assertThat(config.coordinator().cluster()).isEqualTo("from-file");
        assertThat(config.coordinator().path()).isEqualTo("/a-q7-q7");
    }

    @Test
    void resolvesAfterParsingSoThatAValueNeverBecomesStructure() {
        assertThat(parse("pipelines: {p: {where: '${env:EVIL}', stores: [s]}}\nstores: {s: {}}")
                        .pipelines()
                        .get("p")
                        .where())
                .isEqualTo("a: {b: c}");
        assertThat(parse("pipelines: {p: {where: '$${x}', stores: [s]}}\nstores: {s: {}}")
                        .pipelines()
                        .get("p")
                        .where())
                .isEqualTo("${x}");
    }

    @Test
    void refusesReferencesThatLeadNowhere() {
        assertThat(problemsOf("node:\n  id: ${env:GONE}\n  host: ${evn:NAME}\n"))
                .containsExactly(
                        "test.yaml:2: node.id needs the environment variable GONE, which is not set; set it or write"
                                + " ${env:GONE:-default}.",
                        "test.yaml:3: node.host contains ${evn:NAME}, which is not a reference; use ${env:NAME},"
                                + " ${env:NAME:-default}, ${file:/path}, or $${ for a literal ${.");
        assertThat(problemsOf("node:\n  id: ${file:/no/such}\n"))
                .containsExactly("test.yaml:2: node.id refers to the file /no/such, which cannot be read"
                        + " (NoSuchFileException); make it readable for this user.");
    }

    @Test
    void mergesConfDInTheOrderOfNames() throws IOException {
        Path file = write("chimera.yaml", "cycle: { every: 5s }\n");
        Files.createDirectory(folder.resolve("conf.d"));
        write("conf.d/20-b.yaml", "cycle: { in_flight: 2 }\ninputs: { b: { http: 127.0.0.1:2 } }\n");
        write("conf.d/10-a.yaml", "inputs: { a: { http: 127.0.0.1:1 } }\n");
        write("conf.d/ignored.txt", "nonsense: 1\n");

        ChimeraConfig config = loader.load(file, List.of());

        assertThat(config.cycle())
                .isEqualTo(Sections.of(
                        CycleConfig.class, "every", new CyclePeriod(Duration.ofSeconds(5)), "in_flight", 2));
        assertThat(config.inputs()).containsOnlyKeys("a", "b");
    }

    @Test
    void namesBothFilesOfAKeyThatStandsTwice() throws IOException {
        Path file = write("chimera.yaml", "cycle:\n  every: 5s\n");
        Files.createDirectory(folder.resolve("conf.d"));
        Path part = write("conf.d/a.yaml", "cycle:\n\n  every: 6s\n");

        ConfigException e = catchThrowableOfType(ConfigException.class, () -> loader.load(file, List.of()));

        assertThat(e).hasMessage(part + ":3: cycle.every is set here and in " + file + ":2; keep one of them.");
    }

    @Test
    void letsOverridesWin() {
        ChimeraConfig config = loader.parse(
                "test.yaml",
                "cycle: { every: 5s }\npipelines: {p: {stores: [s]}}\nstores: {s: {}, t: {}}",
                List.of("cycle.every=2s", "node.id=x", "pipelines.p.stores=[s, t]", "stores.s.url=http://h:1/a=b"));

        assertThat(config.cycle().every().fixed()).hasSeconds(2);
        assertThat(config.node().id()).isEqualTo("x");
        assertThat(config.pipelines().get("p").stores()).containsExactly("s", "t");
        assertThat(config.stores().get("s").url()).isEqualTo("http://h:1/a=b");
    }

    @Test
    void checksOverridesLikeTheFile() {
        ConfigException e = catchThrowableOfType(
                ConfigException.class,
                () -> loader.parse("test.yaml", "", List.of("cycle.evry=2s", "nonsense", "cycle.in_flight=0")));

        assertThat(e.problems())
                .extracting(ConfigProblem::toString)
                .containsExactlyInAnyOrder(
                        "--set cycle.evry: Unknown key cycle.evry; did you mean cycle.every?",
                        "--set nonsense: Write it as key=value, e.g. --set cycle.every=5s.",
                        "--set cycle.in_flight: cycle.in_flight is 0; expected 1 to 16.");
        assertThat(e.problems())
                .extracting(ConfigProblem::key)
                .containsExactlyInAnyOrder("cycle.evry", "", "cycle.in_flight");
    }

    @Test
    void refusesAKeyThatStandsTwiceInOneFile() {
        assertThat(problemsOf("cycle: {}\nnode: {}\ncycle: {}\n"))
                .containsExactly("test.yaml:3: The key cycle is set here and in line 1; keep one of them.");
    }

    @Test
    void tellsWhereYamlEnds() {
        assertThat(problemsOf("node: {\nrole: queue\n").get(0)).matches("test.yaml:\\d+: This is not YAML: .+\\.");
        assertThat(problemsOf("just text")).allSatisfy(text -> assertThat(text).contains("keys and values"));
        assertThat(problemsOf("node: {}\n---\nnode: {}\n"))
                .containsExactly("test.yaml:3: A second YAML document begins here; a file may contain only one.");
    }

    @Test
    void refusesBombs() {
        String laughs = "a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n";
        String deep = "node: " + "[".repeat(5_000);
        String large = "# " + "x".repeat(YamlReader.CHARACTERS_MAX);

        assertThat(problemsOf(laughs))
                .containsExactly("test.yaml:2: Aliases (*a) are not supported; write the value out.");
        assertThat(problemsOf(deep).get(0)).contains("test.yaml:1: Nested deeper than 32 levels.");
        assertThat(problemsOf(large).get(0)).contains("larger than 1 MiB");
    }

    @Test
    void namesTheFileThatIsNotThere() throws IOException {
        Path gone = folder.resolve("gone.yaml");
        Path binary = folder.resolve("binary.yaml");
        Files.write(binary, new byte[] {(byte) 0xC3, (byte) 0x28});

        assertThat(catchThrowableOfType(ConfigException.class, () -> loader.load(gone, List.of())))
                .hasMessageStartingWith(gone + ": The file does not exist; set another with --config");
        assertThat(catchThrowableOfType(ConfigException.class, () -> loader.load(binary, List.of())))
                .hasMessage(binary + ": Cannot be read (it is not UTF-8 text).");
    }

    private ChimeraConfig parse(String yaml) {
        return loader.parse("test.yaml", yaml, List.of());
    }

    private List<String> problemsOf(String yaml) {
        ConfigException e = catchThrowableOfType(ConfigException.class, () -> parse(yaml));
        assertThat(e).as("problems of %s", yaml).isNotNull();
        return e.problems().stream().map(ConfigProblem::toString).toList();
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text, StandardCharsets.UTF_8);
    }
}
