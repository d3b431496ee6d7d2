package io.chimera.common.composition;

import io.chimera.common.composition.block.BuiltInBlocks;
import io.chimera.common.config.ConfigException;
import io.chimera.common.config.ConfigProblem;
import io.chimera.common.config.GateRef;
import io.chimera.common.config.PipelineConfig;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Proves that the key by which points are spread over partitions fits what the blocks behind it group by: points of one group
 * have to meet in one partition. A block with state says what it groups by as {@code by} in its settings, a list of tags as in
 * the aggregation; without it nothing is claimed of the block, and nothing proved. Control plane.
 */
public final class ShardKeyProof {
    private static final String BY = "by";

    private ShardKeyProof() {}

    /**
     * Proves it for a pipeline.
     *
     * @param config the pipeline
     * @param after the plan of its composition behind the shard
     * @throws ConfigException when points of one group might be in several partitions; says of which block, and what helps
     */
    public static void prove(PipelineConfig config, CompositionPlan after) {
        List<ConfigProblem> problems = new ArrayList<>();
        Set<String> asRouted = new HashSet<>(Set.of(GateRef.INPUT));
        for (PlannedBlock block : after.blocks()) {
            boolean seesRouted = block.from().stream().allMatch(source -> asRouted.contains(source.block()));
            if (seesRouted && BuiltInBlocks.keepsSeries(block.type())) {
                asRouted.add(block.name());
            }
            List<String> by = groupsBy(block);
            if (seesRouted && block.hasState() && !by.isEmpty() && !meets(config, by)) {
                problems.add(problem(config, block.name(), by));
            }
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    /** Whether all points with the same metric and the same tags of these names are in one partition. */
    private static boolean meets(PipelineConfig config, List<String> by) {
        List<String> keys = config.after().keys();
        if (!keys.isEmpty()) {
            return keys.size() == 1
                    && by.contains(keys.get(0)); // by each of several keys a group has some of its points
        }
        List<String> spread = config.aggregate().by();
        return !spread.isEmpty() && new HashSet<>(by).containsAll(spread);
    }

    private static ConfigProblem problem(PipelineConfig config, String block, List<String> by) {
        List<String> keys = config.after().keys();
        if (!keys.isEmpty()) {
            return config.after()
                    .blocks()
                    .get(block)
                    .settings()
                    .problem(
                            BY,
                            "groups by the metric and " + by + ", but points are spread over partitions by each of "
                                    + keys
                                    + " (after.keys): points of one group would be in several partitions, each with a state"
                                    + " of its own. Let after.keys name one of these tags, or leave it out.");
        }
        List<String> without = config.aggregate().without();
        List<String> spread = config.aggregate().by();
        String key = !spread.isEmpty()
                ? "the metric and " + spread
                : without.isEmpty() ? "the metric and all tags" : "the metric and all tags but " + without;
        return config.after()
                .blocks()
                .get(block)
                .settings()
                .problem(
                        BY,
                        "groups by the metric and " + by + ", but points are spread over partitions by " + key
                                + " (aggregate): points of one group would be in several partitions, each with a state of its"
                                + " own. Let aggregate.by name no other tags than these, e.g. aggregate: { by: ["
                                + String.join(", ", by) + "] }.");
    }

    /** What the settings of a block have as {@code by}; empty where there is no such list of texts. */
    private static List<String> groupsBy(PlannedBlock block) {
        for (RecordComponent component : block.context().bound().getClass().getRecordComponents()) {
            if (component.getName().equals(BY) && component.getType() == List.class) {
                return texts(component, block.context().bound());
            }
        }
        return List.of();
    }

    private static List<String> texts(RecordComponent component, Record settings) {
        try {
            component.getAccessor().setAccessible(true);
            List<?> values = (List<?>) component.getAccessor().invoke(settings);
            return values == null
                    ? List.of()
                    : values.stream().map(String::valueOf).toList();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("A record's accessor failed: " + component, e);
        }
    }
}
