package io.chimera.faults.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chimera.common.agent.Waits;
import io.chimera.faults.FaultsMain;
import io.chimera.node.ChimeraHome;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** SIGTERM to a real process of {@code chimera sim}. */
@Tag("it")
final class SimInterruptIT {
    private static final int SEEDS = 10_000_000;

    private Process sim;

    @AfterEach
    void end() {
        if (sim != null) {
            sim.destroyForcibly();
        }
    }

    /**
     * Tests with SIGTERM: SIGINT has the same effect in the JVM, but a background process of a shell ignores SIGINT.
     */
    @Test
    void printsItsFiguresWhenItIsInterrupted() throws Exception {
        List<String> command = ChimeraHome.find().java("conf/jvm.options");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), FaultsMain.class.getName()));
        command.addAll(List.of("sim", "--seeds", Integer.toString(SEEDS), "--json"));
        sim = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader out = sim.inputReader(StandardCharsets.UTF_8);
        String progress = out.readLine();
        while (progress != null && !progress.contains(" of " + SEEDS + " seeds, ")) {
            progress = out.readLine(); // a line of the logging
        }
        assertThat(progress).as("progress").isNotNull();

        sim.toHandle().destroy(); // Process.destroy would also close the stream
        List<String> lines = out.lines().toList();

        assertThat(sim.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        assertThat(sim.exitValue()).isEqualTo(143);
        long done = Long.parseLong(progress.substring(0, progress.indexOf(' ')));
        assertThat(lines).anySatisfy(line -> assertThat(line).startsWith("Interrupted after "));
        assertThat(lines).anySatisfy(line -> assertThat(line).containsPattern("^\\d+ seeds, \\d+ bad; \\d+ events"));
        JsonNode json = new ObjectMapper().readTree(lines.get(lines.size() - 1));
        assertThat(json.path("seeds").asLong()).isGreaterThanOrEqualTo(done).isLessThan(SEEDS);
        assertThat(json.path("events").asLong()).isPositive();
        assertThat(json.has("bad")).isTrue();
    }
}
