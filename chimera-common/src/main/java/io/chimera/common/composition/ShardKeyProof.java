package io.chimera.common.composition;

import io.chimera.common.composition.block.BuiltInBlocks;
import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.config.binding.ConfigProblem;
import io.chimera.common.config.pipeline.GateRef;
import io.chimera.common.config.pipeline.PipelineConfig;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Verifies the partitioning of a pipeline against the grouping of its stateful blocks: all points of a group must
 * arrive in one partition. A stateful block declares its grouping with the setting {@code by}, a list of tags as in the
 * aggregation; a block without {@code by} is not checked. Control plane.
 */
public final class ShardKeyProof {
    private static final String BY = "by";

    private ShardKeyProof() {}

    /**
     * Verifies a pipeline.
     *
     * @param config the pipeline
     * @param after plan of the composition after the sharding
     * @throws ConfigException if points of one group may arrive in several partitions; names the block and a remedy
     */
    public static void prove(PipelineConfig config, CompositionPlan after) {
        List<ConfigProblem> problems = new ArrayList<>();
        Set<String> asRouted = new HashSet<>(Set.of(GateRef.INPUT));
        for (PlannedBlock block : after.blocks()) {
            boolean seesRouted = block.wiring().from().stream().allMatch(source -> asRouted.contains(source.block()));
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

    /** Returns whether all points with the same metric and equal values of these tags are in one partition. */
    private static boolean meets(PipelineConfig config, List<String> by) {
        List<String> keys = config.after().keys();
        if (!keys.isEmpty()) {
            return keys.size() == 1
                    && by.contains(keys.get(0)); // with several keys, each key delivers only some points of a group
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
                                    + " (after.keys): points of one group would be in several partitions with separate"
                                    + " states. Set after.keys to one of these tags, or remove after.keys.");
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
                                + " (aggregate): points of one group would be in several partitions with separate"
                                + " states. Restrict aggregate.by to these tags, e.g. aggregate: { by: ["
                                + String.join(", ", by) + "] }.");
    }

    /** Returns the list of texts in the setting {@code by} of a block, or an empty list. */
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
