package io.chimera.node.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code dataset plan} with files. */
final class DatasetPlanTest {
    private static final Path EXAMPLE = ChimeraHome.find().folder().resolve("examples/datasets/backfill.yaml");

    @TempDir
    Path folder;

    private Invocation plan(Path job, String... more) {
        String[] words = new String[5 + more.length];
        words[0] = "dataset";
        words[1] = "plan";
        words[2] = job.toString();
        words[3] = "--folder";
        words[4] = states().toString();
        System.arraycopy(more, 0, words, 5, more.length);
        return Invocation.of(words);
    }

    private Path states() {
        return folder.resolve("states");
    }

    private Path job(String more) throws IOException {
        Files.writeString(folder.resolve("a.lp"), "m,h=a v=1 1000000000\n".repeat(10_000));
        return Files.writeString(folder.resolve("job.yaml"), """
                name: limited
                source: { url: "file:." }
                objects: ["*.lp"]
                pipelines: { all: { aggregate: { functions: [sum] } } }
                """ + more);
    }

    @Test
    void predictsEachStrategyAndRunsNothing() throws IOException {
        Invocation run = plan(EXAMPLE, "--json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode plan = Json.read("dataset plan", run.out());
        assertThat(plan.path("strategies").findValuesAsText("strategy")).containsExactly("stream", "copy", "overlap");
        assertThat(plan.path("strategies").findValuesAsText("bottleneck")).doesNotContain("");
        plan.path("strategies").forEach(strategy -> {
            assertThat(strategy.path("seconds").asDouble()).isPositive();
            assertThat(strategy.path("seconds_saved_by_one_more").size()).isEqualTo(4);
        });
        assertThat(plan.path("measured").path("events_per_core_second").asDouble())
                .isPositive();
        try (var left = Files.list(states())) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void explainsTheChoiceForPeople() {
        Invocation run = plan(EXAMPLE);

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("round trip", "events/s", "bottleneck", "Choice: ", "overlap");
    }

    @Test
    void tellsWhetherTheLimitsHold() throws IOException {
        Invocation missed = plan(job("""
                prices: { node_hour: 0.5, currency: EUR }
                limits: { deadline: "2020-01-01T00:00Z" }
                """));
        Invocation kept = plan(job("limits: { cost: 5 }\n"), "--json");

        assertThat(missed.out()).contains("Time limit", "does not keep", "EUR");
        assertThat(Json.read("dataset plan", kept.out()).path("keeps_limits").asBoolean())
                .isTrue();
    }

    @Test
    void namesAWrongDeadline() throws IOException {
        Invocation run = plan(job("limits: { deadline: tomorrow }\n"));

        assertThat(run.exitCode()).isEqualTo(78);
        assertThat(run.err()).contains("deadline", "tomorrow");
    }

    @Test
    void saysThatNothingIsLeftOfAFinishedJob() {
        LocalCommand.run(EXAMPLE, states());

        Invocation run = plan(EXAMPLE);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("computed");
    }
}
