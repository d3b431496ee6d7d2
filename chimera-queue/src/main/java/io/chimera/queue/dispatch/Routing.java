package io.chimera.queue.dispatch;

import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.Replay;
import io.chimera.common.composition.TransformTypes;
import io.chimera.common.config.PipelineConfig;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Which records go to which shards: one route per pipeline, in the order of their names, which is their ordinal. */
public final class Routing {
    private final List<String> names;
    private final List<Route> routes;

    /**
     * The routing of a configuration.
     *
     * @param pipelines pipelines by name
     * @param inputs names of all inputs
     * @param types the kinds of blocks that there are
     */
    public Routing(Map<String, PipelineConfig> pipelines, Set<String> inputs, TransformTypes types) {
        names = List.copyOf(new TreeSet<>(pipelines.keySet()));
        routes = Route.of(pipelines, new TreeSet<>(inputs), types);
    }

    /** Number of pipelines. */
    int size() {
        return routes.size();
    }

    /** The routes for the state that one pipeline has of some partitions; empty when it has none. */
    List<Route> routesOfPast(int pipeline, BitSet partitions) {
        if (pipeline >= routes.size() || !routes.get(pipeline).hasState()) {
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
}
