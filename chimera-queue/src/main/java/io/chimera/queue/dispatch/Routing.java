package io.chimera.queue.dispatch;

import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.Replay;
import io.chimera.common.composition.CompositionPlan;
import io.chimera.common.composition.CompositionPlanner;
import io.chimera.common.composition.StateHorizon;
import io.chimera.common.composition.TransformTypes;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.agrona.CloseHelper;

/**
 * Assignment of records to shards: one route per pipeline, in the order of the pipeline names. The index of a pipeline
 * is its ordinal.
 */
public final class Routing implements AutoCloseable {
    private final List<String> names;
    private final List<Route> routes;
    private final long horizonMs;
    private final Map<String, QueueComposition> befores = new TreeMap<>();

    /**
     * Creates the routing of a configuration.
     *
     * @param pipelines pipelines by name
     * @param inputs names of all inputs
     * @param types available block types
     * @param counters written by the channel manager
     * @param deadLetters receives a point that made a block throw, as text, and the reason; called on the channel
     *     manager's thread
     */
    public Routing(
            Map<String, PipelineConfig> pipelines,
            Set<String> inputs,
            TransformTypes types,
            Counters<QueueCounter> counters,
            BiConsumer<String, String> deadLetters) {
        names = List.copyOf(new TreeSet<>(pipelines.keySet()));
        pipelines.forEach((name, pipeline) -> {
            if (pipeline.before() != null) {
                CompositionPlan plan = CompositionPlanner.before(pipeline.before(), types);
                befores.put(name, new QueueComposition(name, plan, counters, deadLetters));
            }
        });
        routes = Route.of(pipelines, new TreeSet<>(inputs), befores, partitions(pipelines, types));
        horizonMs = StateHorizon.of(pipelines.values(), types).toMillis();
    }

    /** State horizon of all compositions; 0 without state. */
    public long horizonMs() {
        return horizonMs;
    }

    /**
     * Number of partitions by pipeline. Partitions are distributed to shards only for blocks with state, or for
     * pipelines with keys.
     */
    private static Map<String, Integer> partitions(Map<String, PipelineConfig> pipelines, TransformTypes types) {
        Map<String, Integer> partitions = new HashMap<>();
        pipelines.forEach((name, pipeline) -> {
            if (pipeline.after() != null) {
                CompositionPlan plan = CompositionPlanner.after(pipeline.after(), types);
                boolean isGrouped =
                        plan.horizon().isZero() && pipeline.after().keys().isEmpty();
                partitions.put(name, isGrouped ? 0 : plan.partitions());
            }
        });
        return partitions;
    }

    /** Routes to rebuild the state of some partitions of one pipeline; empty when the pipeline has no partitions. */
    List<Route> routesOfPast(int pipeline, BitSet partitions) {
        if (pipeline >= routes.size() || !routes.get(pipeline).hasPartitions()) {
            return List.of();
        }
        List<Route> some = new ArrayList<>(Collections.nCopies(routes.size(), Route.NONE));
        some.set(pipeline, routes.get(pipeline).past(partitions));
        return some;
    }

    /**
     * Routes of a cycle: all routes, or for a replay of a single pipeline the route of the pipeline, with placeholders
     * for all other pipelines.
     */
    List<Route> routesOf(Cycle cycle) {
        String only = cycle.replay().map(Replay::pipeline).orElse("");
        if (only.isEmpty()) {
            return routes;
        }
        List<Route> some = new ArrayList<>(Collections.nCopies(routes.size(), Route.NONE));
        int ordinal = names.indexOf(only);
        if (ordinal >= 0) {
            some.set(ordinal, routes.get(ordinal));
        }
        return some;
    }

    @Override
    public void close() {
        CloseHelper.closeAll(befores.values());
    }
}
