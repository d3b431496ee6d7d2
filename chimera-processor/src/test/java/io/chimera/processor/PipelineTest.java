package io.chimera.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.plugin.PluginHost;
import io.chimera.processor.pipeline.Function;
import io.chimera.processor.pipeline.NamedStore;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.testkit.store.MemoryStore;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class PipelineTest {
    private static final Map<String, NamedStore> STORES = Map.of("kairos", new NamedStore("kairos", new MemoryStore()));

    private static List<Pipeline> pipelines(AggregateConfig aggregate, String... stores) {
        PipelineConfig config = Sections.of(PipelineConfig.class, "aggregate", aggregate, "stores", List.of(stores));
        return Pipeline.of(new TreeMap<>(Map.of("cpu", config, "Alone", config)), STORES, PluginHost.ofClassPath());
    }

    @Test
    void numbersPipelinesByTheirNames() {
        assertThat(pipelines(AggregateConfig.DEFAULT, "kairos"))
                .extracting(Pipeline::ordinal, Pipeline::name)
                .containsExactly(tuple(0, "Alone"), tuple(1, "cpu"));
    }

    @Test
    void findsPluginsByTheirNamesTwice() {
        Pipeline pipeline = pipelines(ProcessorRig.functions("mean", "hostile", "range"), "kairos")
                .get(0);

        assertThat(pipeline.functions())
                .containsExactly(
                        new Function("mean", Function.Kind.MEAN, -1, 0),
                        new Function("hostile", Function.Kind.PLUGIN, 0, 0),
                        new Function("range", Function.Kind.PLUGIN, 1, 0));
        assertThat(pipeline.folding().get(1)).isInstanceOf(RangeAggregator.class);
        assertThat(pipeline.merging().get(1))
                .isInstanceOf(RangeAggregator.class)
                .isNotSameAs(pipeline.folding().get(1));
    }

    @Test
    void refusesFunctionThatThereIsNot() {
        assertThatThrownBy(() -> pipelines(ProcessorRig.functions("median"), "kairos"))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("aggregate.functions names 'median'")
                .hasMessageContaining(
                        "count, distinct, hostile, max, mean, min, p01 to p999999, range, sum, top, top1 to top100,"
                                + " variance");
    }

    @Test
    void refusesStoreThatThereIsNot() {
        assertThatThrownBy(() -> pipelines(AggregateConfig.DEFAULT, "cairo"))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("stores names 'cairo'")
                .hasMessageContaining("kairos");
    }
}
