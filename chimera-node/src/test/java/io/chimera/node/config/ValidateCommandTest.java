package io.chimera.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One run of {@code chimera validate} finds all problems, and leaves no files. */
final class ValidateCommandTest {
    @TempDir
    Path folder;

    @Test
    void findsTheFileTheFoldersThePortsAndTheTokensInOneRun() throws IOException {
        Files.writeString(folder.resolve("occupied"), "a file");
        try (ServerSocket tcp = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                DatagramSocket udp = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            String file = configure("""
                node:
                  data_dir: "%s"
                  http: "127.0.0.1:%d"
                  tokens: "%s"
                queue: { address: "127.0.0.1:0" }
                processor: { address: "127.0.0.1:0" }
                coordinator: { embedded: { address: "127.0.0.1:0", data_dir: "%s" } }
                cycle: { evry: 1s }
                inputs: { influx: { udp: "127.0.0.1:%d" } }
                """.formatted(
                            folder.resolve("occupied/data"),
                            tcp.getLocalPort(),
                            folder.resolve("no-tokens.yaml"),
                            folder.resolve("occupied"),
                            udp.getLocalPort()));
            List<Path> before = files();

            Invocation bad = Invocation.of("validate", "-c", file);

            assertThat(bad.exitCode()).isEqualTo(78);
            assertThat(bad.err())
                    .contains(file + ":8: Unknown key cycle.evry; did you mean cycle.every?")
                    .contains("node.data_dir " + folder.resolve("occupied/data"))
                    .contains(folder.resolve("occupied") + " is not a folder")
                    .contains("coordinator.embedded.data_dir " + folder.resolve("occupied"))
                    .contains("node.http 127.0.0.1:" + tcp.getLocalPort() + " is in use")
                    .contains("inputs.influx.udp UDP 127.0.0.1:" + udp.getLocalPort() + " is in use")
                    .contains("no-tokens.yaml: The token file cannot be read")
                    .contains("7 problems in the configuration.");
            assertThat(files()).isEqualTo(before);

            Invocation json = Invocation.of("validate", "-c", file, "--json");
            JsonNode answer = Json.read("validate", json.out());
            assertThat(json.exitCode()).isEqualTo(78);
            assertThat(answer.path("problems")).hasSize(7);
            assertThat(answer.at("/problems/0/line").asInt()).isEqualTo(8);

            Invocation fileOnly = Invocation.of("validate", "-c", file, "--file-only");
            assertThat(fileOnly.err())
                    .contains("3 problems in the configuration.")
                    .doesNotContain("in use");
        }
    }

    @Test
    void oneProblemHidesNoOtherAndNoDefaultIsAProblem() throws IOException {
        String file = configure("""
            node: { data_dir: "%s", http: "127.0.0.1:0" }
            queue: { address: "127.0.0.1:0" }
            processor: { address: "127.0.0.1:0" }
            coordinator: { embedded: { address: "127.0.0.1:0" } }
            cycle: { evry: 1s }
            inputs:
              typo: { htp: "127.0.0.1:8086" }
              silent: {}
              strange: { type: nope, udp: "127.0.0.1:0" }
            stores:
              kairos: {}
              wrong: { type: kairos }
            pipelines:
              functions: { stores: [kairos], where: "a", aggregate: { functions: [count, medien, medium] } }
              nowhere: { stores: [somewhere, wrong] }
              typo: { stors: [kairos] }
              p1: { stores: [kairos], where: "b" }
              p2: { stores: [kairos], where: "b" }
              p3: { stores: [kairos], where: "b" }
              p4: { stores: [kairos], where: "b" }
            """.formatted(folder.resolve("data")));

        Invocation json = Invocation.of("validate", "-c", file, "--file-only", "--json");

        List<String> messages = new ArrayList<>();
        Json.read("validate", json.out())
                .path("problems")
                .forEach(problem -> messages.add(problem.path("message").asText()));
        assertThat(messages)
                .satisfiesExactlyInAnyOrder(
                        one -> assertThat(one).contains("cycle.evry"),
                        one -> assertThat(one).contains("Unknown key inputs.typo.htp"),
                        one -> assertThat(one).contains("inputs.silent has no listener"),
                        one -> assertThat(one).contains("inputs.strange is of type 'nope'"),
                        one -> assertThat(one).contains("stores.wrong.type", "archive,", "kairosdb"),
                        one -> assertThat(one).contains("pipelines.functions.aggregate.functions", "'medien'"),
                        one -> assertThat(one).contains("pipelines.functions.aggregate.functions", "'medium'"),
                        one -> assertThat(one).contains("pipelines.nowhere.stores", "'somewhere'"),
                        one -> assertThat(one).contains("Unknown key pipelines.typo.stors"),
                        one -> assertThat(one)
                                .contains("pipelines.p1, pipelines.p2, pipelines.p3 and pipelines.p4", "6 pairs"));
    }

    @Test
    void hidesNoProblemOfAKeyWithTheSameBeginning() throws IOException {
        String file = configure("""
            node: { data_dir: "%s", http: "127.0.0.1:0" }
            inputs: { influx: { udp: "127.0.0.1:0" } }
            stores: { kairos: {} }
            pipelines:
              p1: text
              p10: { stores: [kairos], aggregate: { functions: [count, medien] } }
            """.formatted(folder.resolve("data")));

        Invocation json = Invocation.of("validate", "-c", file, "--file-only", "--json");

        List<String> keys = new ArrayList<>();
        Json.read("validate", json.out())
                .path("problems")
                .forEach(problem -> keys.add(problem.path("key").asText()));
        assertThat(json.out()).contains("pipelines.p1 is 'text'").contains("names 'medien'");
        assertThat(keys).containsExactly("pipelines.p1", "pipelines.p10.aggregate.functions");
    }

    /** The other keys of the section must not become defaults, whose ports other nodes of the machine may use. */
    @Test
    void reportsOnlyAWrongIdAndNoPortOfADefault() throws IOException {
        try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String file = configure("""
                node: { role: processor, id: q.1, data_dir: "%s", http: "127.0.0.1:0", insecure: true }
                queue: { address: "127.0.0.1:%d" }
                processor: { address: "0.0.0.0:0" }
                coordinator: { connect: "127.0.0.1:2181" }
                """.formatted(folder.resolve("data"), busy.getLocalPort()));

            assertThat(keysOfProblems(file)).containsExactly("node.id");
            assertThat(keysOfProblems(file, "--set", "node.id=q1", "--set", "node.role=qeue"))
                    .containsExactly("node.role");
            assertThat(keysOfProblems(file, "--set", "node.role=queue")).containsExactly("node.id", "queue.address");
        }
    }

    private static List<String> keysOfProblems(String file, String... more) {
        List<String> arguments = new ArrayList<>(List.of("validate", "--json", "-c", file));
        arguments.addAll(List.of(more));
        List<String> keys = new ArrayList<>();
        Json.read("validate", Invocation.of(arguments.toArray(String[]::new)).out())
                .path("problems")
                .forEach(problem -> keys.add(problem.path("key").asText()));
        return keys;
    }

    @Test
    void makesNoFolderThatTheNodeWouldMake() throws IOException {
        String file = good(folder.resolve("new/data"));
        List<Path> before = files();

        Invocation validated = Invocation.of("validate", "-c", file);

        assertThat(validated.exitCode()).as(validated.err()).isZero();
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void findsAFolderThatMayNotBeWritten() throws IOException {
        Path locked = Files.createDirectories(folder.resolve("locked"));
        assumeThat(locked.toFile().setWritable(false)).isTrue();
        assumeThat(Files.isWritable(locked)).as("root may write everywhere").isFalse();

        Invocation bad = Invocation.of("validate", "-c", good(locked.resolve("data")));

        assertThat(bad.exitCode()).isEqualTo(78);
        assertThat(bad.err()).contains("node.data_dir").contains("may not write " + locked);
    }

    @Test
    void findsAFileSystemThatTakesNoFolder() throws IOException {
        assumeThat(Files.isDirectory(Path.of("/proc/self"))).isTrue();

        Invocation bad = Invocation.of("validate", "-c", good(Path.of("/proc/nope/data")));

        assertThat(bad.exitCode()).isEqualTo(78);
        assertThat(bad.err()).contains("node.data_dir /proc/nope/data");
    }

    @Test
    void findsACertificateOfAnotherNode() throws IOException {
        String ca = folder.resolve("ca").toString();
        assertThat(Invocation.of("tls", "init", "--dir", ca, "--cluster", "c").exitCode())
                .isZero();
        Invocation issued =
                Invocation.of("tls", "issue", "queue", "q1", "--dir", ca, "--cluster", "c", "--san", "localhost");
        assertThat(issued.exitCode()).as(issued.err()).isZero();
        String file = configure("""
            node: { role: queue, id: %1$s, host: 127.0.0.1, data_dir: "%2$s/data", http: "127.0.0.1:0", tls: { cert: "%2$s/ca/queue-q1.pem", key: "%2$s/ca/queue-q1.key", ca: "%2$s/ca/ca.pem" } }
            queue: { address: "127.0.0.1:0" }
            coordinator: { cluster: c, connect: "127.0.0.1:2181" }
            """.formatted("q6", folder));

        Invocation bad = Invocation.of("validate", "-c", file);

        assertThat(bad.exitCode()).isEqualTo(78);
        assertThat(bad.err()).contains("chimera://c/queue/q1", "chimera://c/queue/q6");
        Invocation consequence = Invocation.of(
                "validate", "-c", file, "--set", "node.id=q1", "--set", "coordinator.connect=localhost:99999");
        assertThat(consequence.err())
                .contains("coordinator.connect")
                .as("the wrong key makes the cluster unknown")
                .doesNotContain("chimera tls issue");
        Invocation good = Invocation.of("validate", "-c", file, "--set", "node.id=q1");
        assertThat(good.exitCode()).as(good.err()).isZero();
    }

    @Test
    void findsSectionsThatIgnoreTheRevocationsOfTheirAuthority() throws IOException {
        Path ca = folder.resolve("ca");
        assertThat(Invocation.of("tls", "init", "--dir", ca.toString(), "--cluster", "c")
                        .exitCode())
                .isZero();
        assertThat(Invocation.of("tls", "issue", "queue", "q1", "--dir", ca.toString(), "--cluster", "c")
                        .exitCode())
                .isZero();
        Files.copy(ca.resolve("ca.pem"), folder.resolve("copy.pem"));
        String yaml = """
            node: { role: queue, id: q1, host: 127.0.0.1, data_dir: "%1$s/data", http: "127.0.0.1:0", tls: { cert: "%1$s/ca/queue-q1.pem", key: "%1$s/ca/queue-q1.key", ca: "%1$s/ca/ca.pem"OFNODE } }
            queue: { address: "127.0.0.1:0" }
            coordinator: { cluster: c, connect: "127.0.0.1:2181", tls: { cert: "%1$s/ca/queue-q1.pem", key: "%1$s/ca/queue-q1.key", ca: "%1$s/copy.pem"OFCOORDINATOR } }
            """.formatted(folder);
        String crl = ", crl: \"" + ca.resolve("crl.pem") + "\"";

        Invocation copied = Invocation.of(
                "validate", "-c", configure(yaml.replace("OFNODE", crl).replace("OFCOORDINATOR", "")));
        Invocation reverse = Invocation.of(
                "validate", "-c", configure(yaml.replace("OFNODE", "").replace("OFCOORDINATOR", crl)));
        Invocation both = Invocation.of(
                "validate", "-c", configure(yaml.replace("OFNODE", crl).replace("OFCOORDINATOR", crl)));

        assertThat(copied.exitCode()).isEqualTo(78);
        assertThat(copied.err()).contains("coordinator.tls.crl");
        assertThat(reverse.exitCode()).isEqualTo(78);
        assertThat(reverse.err()).contains("node.tls.crl");
        assertThat(both.exitCode()).as(both.err()).isZero();
    }

    @Test
    void warnsOfInputsWithoutPipelines() throws IOException {
        String file = good(folder.resolve("data"));

        Invocation without = Invocation.of("validate", "-c", file);
        Invocation dropping = Invocation.of("validate", "-c", file, "--set", "inputs.i.http=127.0.0.1:0");

        assertThat(without.out()).doesNotContain("pipeline is configured");
        assertThat(dropping.exitCode()).isZero();
        assertThat(dropping.out()).contains("No pipeline is configured");
    }

    @Test
    void findsAHostThatIsNotThisMachines() throws IOException {
        String file = good(folder.resolve("data"));

        Invocation bad = Invocation.of(
                "validate",
                "-c",
                file,
                "--set",
                "node.http=127.0.0.1:0",
                "--set",
                "queue.address=192.0.2.1:9601",
                "--set",
                "node.insecure=true");

        assertThat(bad.exitCode()).isEqualTo(78);
        assertThat(bad.err()).contains("queue.address 192.0.2.1:9601").contains("not an address of this machine");
    }

    private String good(Path data) throws IOException {
        return configure("""
            node: { data_dir: "%s", http: "127.0.0.1:0" }
            queue: { address: "127.0.0.1:0" }
            processor: { address: "127.0.0.1:0" }
            coordinator: { embedded: { address: "127.0.0.1:0" } }
            """.formatted(data));
    }

    private String configure(String yaml) throws IOException {
        return Files.writeString(folder.resolve("chimera.yaml"), yaml).toString();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.sorted().toList();
        }
    }
}
