package io.chimera.apps.node;

import io.chimera.common.composition.CompositionPlan;
import io.chimera.common.composition.CompositionPlanner;
import io.chimera.common.composition.ShardKeyProof;
import io.chimera.common.composition.TransformTypes;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.ConfigException;
import io.chimera.common.config.ConfigProblem;
import io.chimera.common.config.PipelineConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The compositions of a pipeline.
 *
 * @param before ahead of the shard; without blocks where there is none
 * @param after behind it; without blocks where there is none
 */
public record PipelinePlans(CompositionPlan before, CompositionPlan after) {
    private static final CompositionPlan NONE = new CompositionPlan(List.of(), List.of(), 1);

    /**
     * Plans all pipelines.
     *
     * @param types the kinds of blocks there are
     * @return by the names of the pipelines
     * @throws ConfigException when one cannot be; names all that is wrong with all of them
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
