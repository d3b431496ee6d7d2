package io.chimera.node.archive;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import io.chimera.node.child.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The case of Hyperion's Figure 17 over three archives with real traffic. */
final class ForensicsIT {
    private static final Path TRAFFIC =
            Path.of("../chimera-flow/src/test/resources/io/chimera/flow/captures/dns_fragmented.pcap");
    private static final List<String> MONITORS = List.of("gateway", "path-a", "path-b");

    @TempDir
    private Path folder;

    private final List<Process> recorders = new ArrayList<>();
    private JsonNode attack;

    @BeforeEach
    void record() {
        attack = Json.read(
                "gen attack",
                run(
                        "gen",
                        "attack",
                        "--background",
                        TRAFFIC.toString(),
                        "--out",
                        folder.toString(),
                        "--packets",
                        "50000"));
        for (String monitor : MONITORS) {
            run("archive", "create", volume(monitor), "--size", "128MiB");
            String capture = folder.resolve(monitor + ".pcap").toString();
            run(
                    "archive",
                    "record",
                    "--read",
                    capture,
                    "--to",
                    volume(monitor),
                    "--stream",
                    monitor,
                    "--interval",
                    "8KiB");
        }
    }

    private String volume(String monitor) {
        return folder.resolve(monitor + ".volume").toString();
    }

    @Test
    void findsTheAttackerFromTheSpamBack() {
        JsonNode found = Json.read("forensics", run(question("--json")));

        assertThat(found.path("attacker")).isEqualTo(attack.path("attacker"));
        assertThat(found.path("foothold")).isEqualTo(attack.path("foothold"));
        assertThat(found.path("master")).isEqualTo(attack.path("master"));
        assertThat(found.path("findings")).hasSize(7);
        long skipped = 0;
        for (JsonNode finding : found.path("findings")) {
            skipped += finding.path("intervals_skipped").asLong();
        }
        assertThat(skipped).isPositive();
    }

    @Test
    void asksRecordersThatRun() throws IOException {
        List<String> addresses = new ArrayList<>();
        for (String monitor : MONITORS) {
            addresses.add(start(monitor));
        }
        List<String> arguments = new ArrayList<>(
                List.of("forensics", attack.path("bot").asText(), "--inside", inside(), "--times", "2", "--json"));
        addresses.forEach(address -> arguments.addAll(List.of("--http", address)));
        String[] question = arguments.toArray(String[]::new);
        await().untilAsserted(
                        () -> assertThat(Invocation.of(question).exitCode()).isZero());

        List<String> lines = run(question).lines().toList();

        assertThat(lines).hasSize(2);
        for (String line : lines) {
            JsonNode found = Json.read("forensics", line);
            assertThat(found.path("attacker")).isEqualTo(attack.path("attacker"));
            assertThat(found.path("foothold")).isEqualTo(attack.path("foothold"));
            assertThat(found.path("master")).isEqualTo(attack.path("master"));
            assertThat(found.path("seconds").asDouble()).isPositive();
        }
        recorders.get(0).destroyForcibly().onExit().join();
        assertThat(Invocation.of(question).err()).contains("No answer from http://" + addresses.get(0));
    }

    /** Starts a recorder on a volume with packets; further packets arrive slowly. */
    private String start(String monitor) throws IOException {
        String address = new FreePorts(1).next();
        List<String> arguments = List.of(
                "archive",
                "record",
                "--read",
                TRAFFIC.toString(),
                "--speed",
                "0.0001",
                "--to",
                volume(monitor),
                "--stream",
                "idle",
                "--http",
                address);
        recorders.add(new ProcessBuilder(ChimeraHome.find().nodeCommand(List.of("-Xmx256m"), arguments))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(folder.resolve(monitor + ".log").toFile())
                .start());
        return address;
    }

    @AfterEach
    void stop() {
        recorders.forEach(recorder -> recorder.destroyForcibly().onExit().join());
    }

    @Test
    void tellsEachQuestionItsAnswerAndItsTime() {
        String told = run(question());

        assertThat(told)
                .contains(
                        "1. Since when",
                        "7. Who of them",
                        "T-1 = ",
                        " ms; ",
                        attack.path("attacker").asText() + " took ");
    }

    @Test
    void saysWhereTheTrailEnds() {
        String[] asked = question();
        asked[1] = "192.0.2.200";
        Invocation invocation = Invocation.of(asked);

        assertThat(invocation.exitCode()).isOne();
        assertThat(invocation.err()).contains("The trail ends: 192.0.2.200 sent no mail");
    }

    private String[] question(String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("forensics", attack.path("bot").asText()));
        for (String monitor : MONITORS) {
            arguments.addAll(List.of("--in", volume(monitor)));
        }
        arguments.addAll(List.of("--inside", inside()));
        arguments.addAll(List.of(more));
        return arguments.toArray(String[]::new);
    }

    private String inside() {
        return attack.path("foothold").asText() + "," + attack.path("bot").asText();
    }

    private static String run(String... arguments) {
        Invocation invocation = Invocation.of(arguments);
        assertThat(invocation.exitCode()).as(invocation.err()).isZero();
        return invocation.out();
    }
}
