package io.chimera.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class CommandLineTest {
    private static final String GOOD = """
        node: { id: n1 }
        inputs: { influx: { http: 127.0.0.1:8086 } }
        pipelines: { all: { stores: [kairos] } }
        stores: { kairos: { url: "http://me:s3cret@kairos:8080" } }
        """;

    @TempDir
    Path folder;

    private String file;

    @BeforeEach
    void writeConfiguration() throws IOException {
        file = Files.writeString(folder.resolve("chimera.yaml"), GOOD).toString();
    }

    @Test
    void helpsEverywhere() {
        assertHelps(Main.commandLine(), List.of());
    }

    private static void assertHelps(CommandLine command, List<String> path) {
        List<String> arguments = new ArrayList<>(path);
        arguments.add("--help");
        Invocation help = Invocation.of(arguments.toArray(String[]::new));
        assertThat(help.exitCode()).as("%s", arguments).isZero();
        assertThat(help.out()).contains("Usage: chimera").contains("--help");
        command.getSubcommands().forEach((name, sub) -> {
            List<String> deeper = new ArrayList<>(path);
            deeper.add(name);
            assertHelps(sub, deeper);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "run king", "validate --jsn", "cluster", "gen --rate x", "gen --for 10"})
    void tellsWrongUsageWithExitCode2(String line) {
        Invocation wrong = Invocation.of(line.isEmpty() ? new String[0] : line.split(" "));

        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).isNotBlank();
        assertThat(wrong.out()).isEmpty();
    }

    @Test
    void validatesAGoodConfiguration() {
        assertThat(Invocation.of("validate", "--file-only", "-c", file).out())
                .startsWith(file + " is valid: 1 input, 1 pipeline, 1 store; digest ");

        Invocation json = Invocation.of("validate", "--file-only", "-c", file, "--json");
        assertThat(json.exitCode()).isZero();
        assertThat(Json.read("validate", json.out()).path("valid").asBoolean()).isTrue();
    }

    @Test
    void tellsAllThatIsWrongWithExitCode78() {
        Invocation bad = Invocation.of(
                "validate", "--file-only", "-c", file, "--set", "cycle.evry=1s", "--set", "cycle.in_flight=0");

        assertThat(bad.exitCode()).isEqualTo(78);
        assertThat(bad.out()).isEmpty();
        assertThat(bad.err())
                .contains("--set cycle.evry: Unknown key cycle.evry; did you mean cycle.every?")
                .contains("cycle.in_flight is 0; expected 1 to 16.")
                .contains("2 problems in the configuration.");
    }

    @Test
    void tellsProblemsAsJson() {
        Invocation bad = Invocation.of("validate", "-c", file, "--json", "--set", "cycle.evry=1s");

        JsonNode answer = Json.read("validate", bad.out());
        assertThat(bad.exitCode()).isEqualTo(78);
        assertThat(answer.path("valid").asBoolean(true)).isFalse();
        assertThat(answer.at("/problems/0/message").asText()).contains("cycle.every");
    }

    @Test
    void findsFunctionsThatNobodyBrings() {
        Invocation bad =
                Invocation.of("validate", "-c", file, "--set", "pipelines.all.aggregate.functions=[count, medien]");

        assertThat(bad.exitCode()).isEqualTo(78);
        assertThat(bad.err()).contains("pipelines.all.aggregate.functions names 'medien'");
    }

    @Test
    void findsKindsOfStoresThatNobodyBrings() {
        Invocation bad = Invocation.of("validate", "-c", file, "--set", "stores.kairos.type=kairos");

        assertThat(bad.exitCode()).isEqualTo(78);
        assertThat(bad.err())
                .contains(
                        "stores.kairos.type is 'kairos', an unknown type (known types: archive, kairosdb, postgresql)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"validate", "print-config", "run"})
    void endsWith78WhenTheFileIsNotThere(String command) {
        Invocation missing =
                Invocation.of(command, "-c", folder.resolve("gone.yaml").toString());

        assertThat(missing.exitCode()).isEqualTo(78);
        assertThat(missing.err()).contains("gone.yaml: The file does not exist");
    }

    @Test
    void printsWhatIsInEffectWithoutSecrets() {
        Invocation yaml = Invocation.of("print-config", "-c", file, "--set", "cycle.every=7s");
        Invocation json = Invocation.of("print-config", "-c", file, "--json");

        assertThat(yaml.exitCode()).isZero();
        assertThat(yaml.out()).contains("every: 7s").contains("id: n1").contains("http://[redacted]@kairos:8080");
        assertThat(yaml.out() + json.out()).doesNotContain("s3cret");
        assertThat(Json.read("print-config", json.out()).at("/node/id").asText())
                .isEqualTo("n1");
    }

    @Test
    void tellsTheVersion() {
        assertThat(Invocation.of("--version").out()).startsWith("chimera ");
    }

    @Test
    void saysWhoDoesNotAnswer() {
        Invocation gone = Invocation.of("cluster", "status", "--http", "127.0.0.1:1");

        assertThat(gone.exitCode()).isEqualTo(1);
        assertThat(gone.err())
                .contains("No answer from http://127.0.0.1:1/status")
                .contains("node.http");
        assertThat(gone.err().lines()).hasSize(1);
    }
}
