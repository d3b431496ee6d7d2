package io.chimera.queue.dispatch;

import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.Replay;
import io.chimera.common.composition.CompositionPlan;
import io.chimera.common.composition.CompositionPlanner;
import io.chimera.common.composition.StateHorizon;
import io.chimera.common.composition.TransformTypes;
import io.chimera.common.config.PipelineConfig;
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

/** Which records go to which shards: one route per pipeline, in the order of their names, which is their ordinal. */
public final class Routing implements AutoCloseable {
    private final List<String> names;
    private final List<Route> routes;
    private final long horizonMs;
    private final Map<String, Before> befores = new TreeMap<>();

    /**
     * The routing of a configuration.
     *
     * @param pipelines pipelines by name
     * @param inputs names of all inputs
     * @param types the kinds of blocks that there are
     * @param counters written by the channel manager
     * @param deadLetters takes a point at which a block threw, as text, and why; on the channel manager's thread
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
                befores.put(name, new Before(name, plan, counters, deadLetters));
            }
        });
        routes = Route.of(pipelines, new TreeSet<>(inputs), befores, partitions(pipelines, types));
        horizonMs = StateHorizon.of(pipelines.values(), types).toMillis();
    }

    /** How far back the state of compositions reaches; 0 when there is none. */
    public long horizonMs() {
        return horizonMs;
    }

    /** Partitions by pipeline: they are dealt out to shards only where state belongs to them, or keys name them. */
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

    /** The routes for the state that one pipeline has of some partitions; empty when it has none. */
    List<Route> routesOfPast(int pipeline, BitSet partitions) {
        if (pipeline >= routes.size() || !routes.get(pipeline).hasPartitions()) {
            return List.of();
        }
        List<Route> some = new ArrayList<>(Collections.nCopies(routes.size(), Route.NONE));
        some.set(pipeline, routes.get(pipeline).past(partitions));
        return some;
    }

    /** The routes of a cycle: all, or where a replay names one pipeline that one in its place among others that take nothing. */
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
