package io.chimera.node.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GenCommandTest {
    @TempDir
    Path folder;

    @Test
    void writesWhatItsPlanSays() throws IOException {
        Path file = folder.resolve("load.lp");
        Invocation gen = gen(file, "influx-http");
        List<String> lines = Files.readAllLines(file);
        LoadPlan plan = new LoadPlan(30, 1_000, Duration.ofMillis(777), 5);
        Map<String, Long> sums = lines.stream()
                .collect(Collectors.groupingBy(
                        line -> line.replaceAll(".*series=(s\\d+) .*", "$1"), Collectors.summingLong(line ->
                                (long) Double.parseDouble(line.replaceAll(".*value=([0-9.]+) .*", "$1")))));

        assertThat(gen.exitCode()).isZero();
        assertThat(lines)
                .hasSize(777)
                .allMatch(line -> line.matches("load,host=host-\\d+,series=s\\d+ value=\\d+\\.0 \\d+"));
        for (int series = 0; series < 30; series++) {
            assertThat(sums).containsEntry("s" + series, plan.sumOf(series, plan.pointsOf(series)));
        }
        JsonNode figures = Json.read("gen", gen.out()).path("figures");
        assertThat(figures.path("points_sent").asLong()).isEqualTo(777);
        assertThat(figures.path("value_sum").asLong()).isEqualTo(plan.sum());
    }

    @Test
    void writesTheSameForTheSameSeed() throws IOException {
        Path one = folder.resolve("one");
        Path two = folder.resolve("two");
        gen(one, "influx-http");
        gen(two, "influx-tcp");

        assertThat(Files.readString(one)).isEqualTo(Files.readString(two));
    }

    @Test
    void writesTheProtocolsOfKairosDb() throws IOException {
        Path telnet = folder.resolve("telnet");
        Path json = folder.resolve("json");
        gen(telnet, "kairos-telnet");
        gen(json, "kairos-http");

        assertThat(Files.readAllLines(telnet))
                .hasSize(777)
                .allMatch(line -> line.matches("put load \\d{13} \\d+\\.0 host=host-\\d+ series=s\\d+"));
        JsonNode array = Json.read("json", Files.readString(json));
        assertThat(array).hasSize(777);
        assertThat(array.get(0).path("tags").path("series").asText()).isEqualTo("s0");
        assertThat(array.get(0).path("timestamp").asLong()).isEqualTo(1_700_000_000_000L);
        assertThat(array.get(0).path("value").isDouble()).isTrue();
    }

    @Test
    void saysWhenNobodyListens() {
        Invocation gone = Invocation.of("gen", "--protocol", "influx-tcp", "--to", "127.0.0.1:1", "--for", "1s");

        assertThat(gone.exitCode()).isEqualTo(1);
        assertThat(gone.err()).contains("Cannot connect to 127.0.0.1:1");
    }

    @Test
    void reportsWhatWasAcknowledgedWhenItFails() {
        try (FakeInput input = new FakeInput().answer(204, null, "").answer(404, null, "nothing here")) {
            Invocation failed =
                    Invocation.of("gen", "--series", "10", "--rate", "100000", "--for", "1s", "--to", input.address());

            assertThat(failed.exitCode()).isEqualTo(1);
            assertThat(failed.err()).contains("404");
            JsonNode report = Json.read("gen", failed.out());
            long sent = report.path("figures").path("points_sent").asLong();
            assertThat(sent)
                    .isPositive()
                    .isEqualTo(input.taken().stream()
                            .mapToLong(body -> body.lines().count())
                            .sum());
            assertThat(report.path("figures").path("points_unanswered").asLong())
                    .isPositive();
            assertThat(report.path("failed").asText()).contains("404");
        }
    }

    @Test
    void reportsNoFailureOfAWholeLoad() {
        try (FakeInput input = new FakeInput()) {
            Invocation whole =
                    Invocation.of("gen", "--series", "10", "--rate", "1000", "--for", "50ms", "--to", input.address());

            assertThat(whole.exitCode()).isZero();
            JsonNode report = Json.read("gen", whole.out());
            assertThat(report.path("figures").path("points_sent").asLong()).isEqualTo(50);
            assertThat(report.has("failed")).isFalse();
        }
    }

    private static Invocation gen(Path file, String protocol) {
        return Invocation.of(
                "gen",
                "--series",
                "30",
                "--rate",
                "1000",
                "--for",
                "777ms",
                "--seed",
                "5",
                "--start",
                "1700000000000",
                "--protocol",
                protocol,
                "--out",
                file.toString());
    }
}
