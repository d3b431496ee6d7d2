package io.chimera.node.graph;

import io.chimera.common.composition.CompositionPlan;
import io.chimera.common.composition.PlannedBlock;
import io.chimera.common.config.binding.ConfigWriter;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.BlockGraph;
import io.chimera.common.config.pipeline.GateRef;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.node.config.PipelinePlans;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Graph of pipelines: edges, and nodes in topological order. */
final class Graph {
    /** Kind of a node. */
    enum Kind {
        ENDPOINT,
        BLOCK,
        STATEFUL,
        STEP
    }

    /**
     * Node of the graph.
     *
     * @param id unique id
     * @param lines text lines of the node
     */
    public record Node(String id, Kind kind, List<String> lines) {}

    /**
     * Edge of the graph.
     *
     * @param label name of the gate; may be empty
     * @param isQueued whether the edge crosses a queue to another thread
     */
    record Edge(String from, String to, String label, boolean isQueued) {}

    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final List<Edge> edges = new ArrayList<>();

    /** Adds a pipeline. */
    void add(String name, PipelineConfig config, PipelinePlans plans) {
        String inputs = config.inputs().isEmpty() ? "all inputs" : String.join(", ", config.inputs());
        String input = node(name + "/input", Kind.ENDPOINT, name, inputs + ", where " + config.where());
        String shard = name + "/shard";
        String aggregate = name + "/aggregate";
        composition(name + "/before/", plans.before(), input, shard);
        node(shard, Kind.STEP, "shard by", key(config.aggregate()));
        composition(name + "/after/", plans.after(), shard, aggregate);
        List<String> functions = config.aggregate().functions();
        node(aggregate, Kind.STEP, functions.isEmpty() ? "rows" : "aggregate", String.join(", ", functions));
        String stores = node(name + "/stores", Kind.ENDPOINT, "stores", String.join(", ", config.stores()));
        edges.add(new Edge(aggregate, stores, "", false));
    }

    private static String key(AggregateConfig aggregate) {
        if (!aggregate.by().isEmpty()) {
            return "metric, " + String.join(", ", aggregate.by());
        }
        return aggregate.without().isEmpty()
                ? "metric, all tags"
                : "metric, all tags but " + String.join(", ", aggregate.without());
    }

    private void composition(String prefix, CompositionPlan plan, String from, String to) {
        if (plan.blocks().isEmpty()) {
            edges.add(new Edge(from, to, "", false));
            return;
        }
        Set<GateRef> taken = new HashSet<>(plan.output());
        plan.blocks().forEach(block -> taken.addAll(block.wiring().from()));
        for (PlannedBlock block : plan.blocks()) {
            node(prefix + block.name(), block.hasState() ? Kind.STATEFUL : Kind.BLOCK, lines(block, taken));
            block.wiring()
                    .from()
                    .forEach(ref -> edge(prefix, plan, ref, from, prefix + block.name(), block.isQueued()));
        }
        plan.output().forEach(ref -> edge(prefix, plan, ref, from, to, false));
    }

    private void edge(String prefix, CompositionPlan plan, GateRef ref, String input, String to, boolean isQueued) {
        boolean isOnly = plan.blocks().stream()
                .anyMatch(block -> block.name().equals(ref.block())
                        && block.wiring().gates().size() == 1);
        String from = ref.isInput() ? input : prefix + ref.block();
        edges.add(new Edge(from, to, isOnly ? "" : ref.gate(), isQueued));
    }

    private static List<String> lines(PlannedBlock block, Set<GateRef> taken) {
        List<String> lines = new ArrayList<>(List.of(block.name(), block.type().name()));
        if (block.hasState()) {
            lines.add("state of " + ConfigWriter.text(block.horizon()));
        }
        if (!block.place().thread().equals(BlockGraph.CALLER)) {
            lines.add((block.place().pool() > 1 ? block.place().pool() + " threads " : "thread ")
                    + block.place().thread()
                    + (block.place().cpu() >= 0 ? ", core " + block.place().cpu() : ""));
        }
        List<String> dropped = block.wiring().gates().stream()
                .filter(gate -> !taken.contains(new GateRef(block.name(), gate)))
                .toList();
        if (!dropped.isEmpty()) {
            lines.add("unconnected: " + String.join(", ", dropped));
        }
        return lines;
    }

    private String node(String id, Kind kind, String... lines) {
        return node(
                id,
                kind,
                List.of(lines).stream().filter(line -> !line.isEmpty()).toList());
    }

    private String node(String id, Kind kind, List<String> lines) {
        nodes.put(id, new Node(id, kind, List.copyOf(lines)));
        return id;
    }

    List<Node> nodes() {
        return List.copyOf(nodes.values());
    }

    List<Edge> edges() {
        return List.copyOf(edges);
    }
}
