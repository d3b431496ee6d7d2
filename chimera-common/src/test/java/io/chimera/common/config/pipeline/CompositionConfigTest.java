package io.chimera.common.config.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.config.binding.ConfigProblem;
import io.chimera.common.config.binding.ConfigWriter;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.binding.Settings;
import io.chimera.common.config.load.ConfigLoader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class CompositionConfigTest {
    private static final String HEAD = "stores: {s: {}}\npipelines:\n  p:\n    stores: s\n";

    /** Settings record of a plugin. */
    record Window(double above, Duration window, List<String> by) {
        Window {
            window = window == null ? Duration.ofSeconds(10) : window;
            if (window.isZero()) {
                throw new IllegalArgumentException("a window of 0s holds nothing");
            }
        }
    }

    /** Incorrect settings record of a plugin. */
    record Careless(Duration window) {
        Careless {
            window = window.plusSeconds(1);
        }
    }

    @Test
    void keepsBlocksWithTheKeysOfTheirTypes() {
        PipelineConfig pipeline = parse("""
                before:
                  blocks: { one: { type: split, limit: 5 } }
                after:
                  partitions: 8
                  blocks:
                    score: { type: scorer, above: 2, window: 1m }
                    alert: { type: threshold, from: score.high, edge: queued, cpu: 1 }
                  output: [alert]
            """);

        assertThat(pipeline.before().blocks().get("one"))
                .isEqualTo(Sections.of(
                        BlockConfig.class,
                        "type",
                        "split",
                        "from",
                        List.of("input"),
                        "settings",
                        pipeline.before().blocks().get("one").settings()));
        assertThat(pipeline.before().blocks().get("one").settings().asMap()).isEqualTo(Map.of("limit", "5"));
        assertThat(pipeline.after().partitions()).isEqualTo(8);
        assertThat(pipeline.after().blocks().get("alert").sources()).containsExactly(new GateRef("score", "high"));
        assertThat(settings(pipeline, "score").bind(Window.class))
                .isEqualTo(new Window(2, Duration.ofMinutes(1), null));
        assertThat(ConfigWriter.tree(pipeline.after().blocks().get("score")))
                .containsEntry("type", "scorer")
                .containsEntry("above", "2")
                .containsEntry("window", "1m");
    }

    @Test
    void namesThePlaceOfWhatIsWrongInTheKeysOfATypeAndTheNearestKey() {
        PipelineConfig pipeline = parse("""
                after:
                  blocks:
                    a: { type: scorer, abov: 2 }
                    b:
                      type: scorer
                      above: 1
                      window: 10
                    c: { type: scorer, above: 1, window: 0s, by: host }
            """);

        assertThat(problemsOf(() -> settings(pipeline, "a").bind(Window.class)))
                .containsExactly(
                        "test.yaml:7: pipelines.p.after.blocks.a.above is missing; expected a number, e.g. 0.5.",
                        "test.yaml:7: Unknown key pipelines.p.after.blocks.a.abov; did you mean"
                                + " pipelines.p.after.blocks.a.above?");
        assertThat(problemsOf(() -> settings(pipeline, "b").bind(Window.class)))
                .containsExactly(
                        "test.yaml:11: pipelines.p.after.blocks.b.window is '10'; expected a duration, e.g. 250ms,"
                                + " 10s, 5m or 1h.");
        assertThat(problemsOf(() -> settings(pipeline, "c").bind(Window.class)))
                .containsExactly("test.yaml:12: pipelines.p.after.blocks.c: a window of 0s holds nothing.");
    }

    @Test
    void tellsARecordThatFailsFromWrongKeys() {
        PipelineConfig pipeline = parse("    after: { blocks: { a: { type: careless } } }\n");

        assertThat(problemsOf(() -> settings(pipeline, "a").bind(Careless.class)))
                .singleElement()
                .asString()
                .contains(
                        "test.yaml:5: pipelines.p.after.blocks.a: ",
                        "Careless cannot be created",
                        "correct the plugin");
    }

    @Test
    void refusesBlocksThatCannotBePutTogether() {
        assertThat(problems("    before: { blocks: {} }\n"))
                .containsExactly("test.yaml:5: pipelines.p.before has no blocks; name at least one, or leave"
                        + " pipelines.p.before out.");
        assertThat(problems("    before: { blocks: { a: { from: b }, input: { type: copy } }, output: c.out }\n"))
                .containsExactly(
                        "test.yaml:5: pipelines.p.before.blocks.a.type is missing; set a block type, e.g. type: keep.",
                        "test.yaml:5: pipelines.p.before.blocks.a.from names b, which is not a block of"
                                + " pipelines.p.before; known: a, input.",
                        "test.yaml:5: pipelines.p.before.blocks.input: a block must not be named input or have a"
                                + " dot in its name. Rename the block.",
                        "test.yaml:5: pipelines.p.before.output names c.out, which is not a block of"
                                + " pipelines.p.before; known: a, input.");
        assertThat(problems("    before: { blocks: { a: { type: copy, edge: queued } } }\n"))
                .containsExactly(
                        "test.yaml:5: pipelines.p.before.blocks.a.edge is queued, but blocks before the sharding run"
                                + " on the sending thread. Make it direct, or move the block to after.");
        assertThat(problems("    after: { blocks: { a: { type: copy, cpu: 1 } } }\n"))
                .containsExactly(
                        "test.yaml:5: pipelines.p.after.blocks.a.cpu is 1; expected no cpu without edge: queued.");
    }

    @Test
    void refusesPointsThatGoRoundAndOutputThatNobodyTakes() {
        assertThat(problems("    after: { blocks: { a: { type: copy, from: [input, c] },"
                        + " b: { type: copy, from: a }, c: { type: copy, from: b } } }\n"))
                .containsExactly(
                        "test.yaml:5: pipelines.p.after: the blocks form a cycle: a takes from c takes from b takes"
                                + " from a. Change one of these sources; a block that needs its own output must keep it as"
                                + " state.");
        assertThat(problems("    after: { blocks: { a: { type: copy }, b: { type: copy } }, output: a }\n"))
                .containsExactly(
                        "test.yaml:5: pipelines.p.after.blocks.b: its output is unused. Use it as a source, name it in"
                                + " pipelines.p.after.output, or remove it.");
    }

    @Test
    void refusesTwoThreadsIntoOneBlock() {
        assertThat(problems(
                        "    after: { blocks: { a: { type: copy, edge: queued }, b: { type: copy, from: [a, input] },"
                                + " c: { type: copy, from: [a, input], edge: queued } }, output: [b] }\n"))
                .contains("test.yaml:5: pipelines.p.after.blocks.b.from has sources on two threads (the thread of the"
                        + " input and the thread of a), so the order of its points would not be deterministic."
                        + " Make edges direct until only one thread is left.");
        assertThat(problems("    after: { blocks: { a: { type: copy, edge: queued } }, output: [a, input] }\n"))
                .containsExactly(
                        "test.yaml:5: pipelines.p.after.output has sources on two threads (the thread of the input and"
                                + " the thread of a), so the order of its points would not be deterministic. Make edges"
                                + " direct until only one thread is left.");
    }

    @Test
    void refusesPoolsWithoutAQueueWithACoreAndWithoutAThreadBetween() {
        assertThat(problems("    after: { blocks: { a: { type: copy, threads: { pool: 4 } } } }\n"))
                .singleElement()
                .asString()
                .contains("blocks.a.threads.pool is 4", "edge: queued");
        assertThat(problems("    after: { blocks: { a: { type: copy, edge: queued, threads: { pool: 33 } } } }\n"))
                .singleElement()
                .asString()
                .contains("blocks.a.threads.pool is 33", "1 to 32");
        assertThat(problems(
                        "    after: { blocks: { a: { type: copy, edge: queued, cpu: 1, threads: { pool: 2 } } } }\n"))
                .singleElement()
                .asString()
                .contains("blocks.a.cpu is 1", "threads.pool");
        assertThat(problems("    after: { blocks: { a: { type: copy, edge: queued, threads: { pool: 2 } },"
                        + " b: { type: copy, from: a, edge: queued, threads: { pool: 2 } } } }\n"))
                .singleElement()
                .asString()
                .contains("blocks.b.from leads from the pool of a to another pool", "copy");
        assertThat(problems("    before: { blocks: { a: { type: copy, edge: queued, threads: { pool: 2 } } } }\n"))
                .singleElement()
                .asString()
                .contains("before the sharding");
    }

    @Test
    void aggregatesWithoutFunctionsBehindACompositionOnly() {
        assertThat(problems("    aggregate: { functions: [] }\n"))
                .containsExactly("test.yaml:5: pipelines.p.aggregate.functions is empty without a composition (after)"
                        + " whose points become rows; name at least one function.");
        assertThat(parse("    aggregate: { functions: [] }\n    after: { blocks: { a: { type: copy } } }\n")
                        .aggregate()
                        .functions())
                .isEmpty();
    }

    @Test
    void saysOtherwiseWhenItDoesOtherwise() {
        String yaml = "    after: { blocks: { a: { type: scorer, above: %s } } }\n";

        assertThat(config(yaml.formatted("2")).digest())
                .isEqualTo(config(yaml.formatted("2")).digest())
                .isNotEqualTo(config(yaml.formatted("3")).digest());
    }

    private static Settings settings(PipelineConfig pipeline, String block) {
        return pipeline.after().blocks().get(block).settings();
    }

    private static ChimeraConfig config(String pipeline) {
        return new ConfigLoader(Map.of()).parse("test.yaml", HEAD + pipeline, List.of());
    }

    private static PipelineConfig parse(String pipeline) {
        return config(pipeline).pipelines().get("p");
    }

    private static List<String> problems(String pipeline) {
        return problemsOf(() -> parse(pipeline));
    }

    private static List<String> problemsOf(ThrowingCallable call) {
        ConfigException e = catchThrowableOfType(ConfigException.class, call);
        assertThat(e).isNotNull();
        return e.problems().stream().map(ConfigProblem::toString).toList();
    }
}
