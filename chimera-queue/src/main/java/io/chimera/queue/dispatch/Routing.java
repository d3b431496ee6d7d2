package io.chimera.queue.dispatch;

import io.chimera.common.config.PipelineConfig;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Which records go to which shards: one route per pipeline, in the order of their names, which is their ordinal. */
public final class Routing {
    private final List<Route> routes;

    /**
     * The routing of a configuration.
     *
     * @param pipelines pipelines by name
     * @param inputs names of all inputs
     */
    public Routing(Map<String, PipelineConfig> pipelines, Set<String> inputs) {
        routes = Route.of(pipelines, new TreeSet<>(inputs));
    }

    List<Route> routes() {
        return routes;
    }
}
