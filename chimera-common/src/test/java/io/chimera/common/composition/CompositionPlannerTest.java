package io.chimera.common.composition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.chimera.api.spi.BlockState;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.config.binding.ConfigProblem;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AfterConfig;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.BeforeConfig;
import io.chimera.common.config.pipeline.GateRef;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.error.ChimeraException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CompositionPlannerTest {
    @Test
    void ordersBlocksAndGivesGatesTheirFullNames() {
        CompositionPlan plan = CompositionRig.plan("""
            blocks:
              a: { type: copy, from: b.below, edge: queued, cpu: 1 }
              b: { type: threshold, field: v, limit: 1 }
              c: { type: copy, from: a }
            """);

        assertThat(plan.blocks()).extracting(PlannedBlock::name).containsExactly("b", "a", "c");
        assertThat(plan.blocks()).extracting(block -> block.place().thread()).containsExactly("", "a", "a");
        assertThat(plan.blocks()).extracting(block -> block.place().cpu()).containsExactly(-1, 1, -1);
        assertThat(plan.output()).containsExactly(new GateRef("c", "out"));
        assertThat(plan.partitions()).isEqualTo(64);
    }

    @Test
    void tellsUnknownTypesGatesAndKeysWithTheirPlaces() {
        assertThat(problemsOf("""
            blocks:
              a: { type: copi }
              b: { type: threshold, feld: v }
              c: { type: keep, metric: cpu }
              d: { type: copy, from: c.rust }
              e: { type: copy, from: c, limit: 1 }
            """))
                .containsExactlyInAnyOrder(
                        "test.yaml:7: pipelines.p.after.blocks.a is of type 'copi', but this type is not installed;"
                                + " installed types: copy, drop, increase, keep, rename, threshold.",
                        "test.yaml:8: pipelines.p.after.blocks.b.limit is missing; expected a number, e.g. 0.5.",
                        "test.yaml:8: Unknown key pipelines.p.after.blocks.b.feld; did you mean"
                                + " pipelines.p.after.blocks.b.field?",
                        "test.yaml:10: pipelines.p.after.blocks.d names the gate c.rust, which does not exist; gates"
                                + " of c: out, rest.",
                        "test.yaml:11: Unknown key pipelines.p.after.blocks.e.limit; this section has no keys.");
    }

    private static TransformType declaring(BlockState state, Duration horizon) {
        return new TransformType() {
            @Override
            public String name() {
                return "declaring";
            }

            @Override
            public Duration horizon(PluginContext context) {
                return horizon;
            }

            @Override
            public BlockState state(PluginContext context) {
                return state;
            }

            @Override
            public Transform create(PluginContext context) {
                return (point, out) -> out.pass(0);
            }
        };
    }

    @Test
    void givesPoolsToBlocksOfADeclaredStateOnly() {
        String pooled = """
                blocks:
                  a: { type: copy, edge: queued, threads: { pool: 3 } }
                  b: { type: declaring, from: a }
                """;
        String single = pooled.replace("pool: 3", "pool: 1");
        TransformType silent = declaring(BlockState.UNDECLARED, Duration.ZERO);

        assertThat(problemsOf(pooled, silent))
                .singleElement()
                .asString()
                .contains("blocks.b does not declare its state", "pool of a", "threads.pool");
        assertThat(CompositionRig.plan(single, silent).blocks())
                .extracting(block -> block.place().pool())
                .containsExactly(1, 1);
        assertThat(CompositionRig.plan(pooled, declaring(BlockState.BY_KEY, Duration.ofMinutes(1)))
                        .blocks())
                .extracting(block -> block.place().pool())
                .containsExactly(3, 3);
    }

    @Test
    void refusesAStateThatContradictsTheHorizon() {
        String yaml = "blocks: { a: { type: declaring } }";

        assertThat(problemsOf(yaml, declaring(BlockState.NONE, Duration.ofMinutes(1))))
                .singleElement()
                .asString()
                .contains("state NONE and horizon 1m");
        assertThat(problemsOf(yaml, declaring(BlockState.BY_KEY, Duration.ZERO)))
                .singleElement()
                .asString()
                .contains("state BY_KEY");
    }

    @Test
    void refusesStateAheadOfTheShard() {
        BeforeConfig before = Sections.of(
                BeforeConfig.class,
                "blocks",
                CompositionRig.config("blocks: { a: { type: counter } }").blocks());

        assertThatThrownBy(() -> CompositionPlanner.before(before, new InstalledTypes(List.of(Blocks.counter()))))
                .hasMessageContaining("pipelines.p.after.blocks.a has state of the last 10m")
                .hasMessageContaining("Move the block to after");
    }

    @Test
    void aTypeThatThrowsIsNamed() {
        TransformType broken = Blocks.type("broken", null, List.of(), () -> null);

        assertThat(problemsOf("blocks: { a: { type: broken } }", broken))
                .singleElement()
                .asString()
                .contains("blocks.a is of type broken, but the type failed", "Correct the plugin");
    }

    @Test
    void refusesTwoKindsOfOneName() {
        assertThatThrownBy(() -> new InstalledTypes(List.of(Blocks.plain("copy", (point, out) -> {}))))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("Two block types have the name copy");
    }

    private static List<String> problemsOf(String after, TransformType... types) {
        ConfigException e = catchThrowableOfType(ConfigException.class, () -> CompositionRig.plan(after, types));
        assertThat(e).isNotNull();
        return e.problems().stream().map(ConfigProblem::toString).toList();
    }

    record Grouping(List<String> by) {}

    private static final TransformType GROUPING = new TransformType() {
        @Override
        public String name() {
            return "grouping";
        }

        @Override
        public Class<? extends Record> settings() {
            return Grouping.class;
        }

        @Override
        public Duration horizon(PluginContext context) {
            return Duration.ofMinutes(1);
        }

        @Override
        public Transform create(PluginContext context) {
            return (point, out) -> out.pass(0);
        }
    };

    @Test
    void provesThatPointsOfAGroupMeetInOnePartition() {
        String after = "blocks: { f: { type: keep, metric: m }, g: { type: grouping, from: f, by: [caller, city] } }";

        prove(after, Sections.of(AggregateConfig.class, "by", List.of("caller")));
        prove(after, Sections.of(AggregateConfig.class, "by", List.of("city", "caller")));
        prove("blocks: { g: { type: grouping } }", AggregateConfig.DEFAULT);
        prove(
                "blocks: { r: { type: rename, tags: { a: b } }, g: { type: grouping, from: r, by: b } }",
                AggregateConfig.DEFAULT);
        assertThatThrownBy(() -> prove(after, Sections.of(AggregateConfig.class, "by", List.of("caller", "callee"))))
                .hasMessage(
                        "test.yaml:6: pipelines.p.after.blocks.g groups by the metric and [caller, city], but points"
                                + " are spread over partitions by the metric and [caller, callee] (aggregate): points of"
                                + " one group would be in several partitions with separate states. Restrict aggregate.by"
                                + " to these tags, e.g. aggregate: { by: [caller, city] }.");
        assertThatThrownBy(() -> prove(after, AggregateConfig.DEFAULT))
                .hasMessageContaining("the metric and all tags (");
        assertThatThrownBy(() -> prove(after, Sections.of(AggregateConfig.class, "without", List.of("x"))))
                .hasMessageContaining("all tags but [x]");
    }

    private static void prove(String after, AggregateConfig aggregate) {
        AfterConfig config = CompositionRig.config(after);
        PipelineConfig pipeline = Sections.of(PipelineConfig.class, "after", config, "aggregate", aggregate);
        ShardKeyProof.prove(pipeline, CompositionPlanner.after(config, new InstalledTypes(List.of(GROUPING))));
    }
}
