package io.chimera.node.config;

import io.chimera.common.composition.CompositionPlan;
import io.chimera.common.composition.CompositionPlanner;
import io.chimera.common.composition.ShardKeyProof;
import io.chimera.common.composition.TransformTypes;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.config.binding.ConfigProblem;
import io.chimera.common.config.pipeline.PipelineConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Plans of a pipeline's compositions.
 *
 * @param before composition before the shard; without blocks if absent
 * @param after composition after the shard; without blocks if absent
 */
public record PipelinePlans(CompositionPlan before, CompositionPlan after) {
    private static final CompositionPlan NONE = new CompositionPlan(List.of(), List.of(), 1);

    /**
     * Plans all pipelines.
     *
     * @param types the available kinds of blocks
     * @return plans by pipeline name
     * @throws ConfigException with all problems of all pipelines
     */
    public static Map<String, PipelinePlans> of(ChimeraConfig config, TransformTypes types) {
        List<ConfigProblem> problems = new ArrayList<>();
        Map<String, PipelinePlans> plans = new TreeMap<>();
        config.pipelines().forEach((name, pipeline) -> {
            CompositionPlan before = pipeline.before() == null
                    ? NONE
                    : tried(() -> CompositionPlanner.before(pipeline.before(), types), problems);
            CompositionPlan after = pipeline.after() == null ? NONE : tried(() -> after(pipeline, types), problems);
            plans.put(name, new PipelinePlans(before, after));
        });
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return plans;
    }

    private static CompositionPlan after(PipelineConfig pipeline, TransformTypes types) {
        CompositionPlan plan = CompositionPlanner.after(pipeline.after(), types);
        ShardKeyProof.prove(pipeline, plan);
        return plan;
    }

    private static CompositionPlan tried(Supplier<CompositionPlan> plan, List<ConfigProblem> problems) {
        try {
            return plan.get();
        } catch (ConfigException e) {
            problems.addAll(e.problems());
            return NONE;
        }
    }
}
