package io.chimera.node.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.node.Invocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CdrCommandTest {
    @TempDir
    Path folder;

    @Test
    void writesCallsAndWhoTheTelemarketersAre() throws IOException {
        Path calls = folder.resolve("calls");
        Path truth = folder.resolve("truth");
        Invocation gen = gen(calls, 20, "--truth", truth.toString());

        assertThat(gen.exitCode()).as(gen.err()).isZero();
        List<String> telemarketers = Files.readAllLines(truth);
        assertThat(telemarketers).hasSize(20).doesNotHaveDuplicates();
        assertThat(Files.readAllLines(calls))
                .hasSize(1_000)
                .allMatch(line -> line.matches(
                        "call,switch=s\\d+ caller=\"\\d+\",callee=\"\\d+\",duration=\\d+i,code=\\d{3}i 17\\d{17}"))
                .anyMatch(line -> line.contains("caller=\"" + telemarketers.get(0)));
    }

    @Test
    void writesTheSameForTheSameSeed() throws IOException {
        gen(folder.resolve("one"), 20);
        gen(folder.resolve("two"), 20);

        assertThat(folder.resolve("one")).hasSameTextualContentAs(folder.resolve("two"));
    }

    @Test
    void refusesMoreTelemarketersThanThereAreCalls() {
        Invocation gen = gen(folder.resolve("calls"), 500);

        assertThat(gen.exitCode()).isEqualTo(2);
        assertThat(gen.err()).contains("at most a quarter of the rate");
    }

    private static Invocation gen(Path file, int telemarketers, String... more) {
        List<String> arguments = new ArrayList<>(List.of("gen", "cdr", "--calls", "1000", "--users", "5000"));
        arguments.addAll(List.of("--rate", "100", "--start", "1700000000000", "--out", file.toString()));
        arguments.addAll(List.of("--telemarketers", Integer.toString(telemarketers)));
        arguments.addAll(List.of(more));
        return Invocation.of(arguments.toArray(String[]::new));
    }
}
