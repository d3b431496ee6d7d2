package io.chimera.common.composition;

import io.chimera.api.spi.BlockState;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.TransformType;
import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.config.binding.ConfigProblem;
import io.chimera.common.config.binding.ConfigWriter;
import io.chimera.common.config.pipeline.AfterConfig;
import io.chimera.common.config.pipeline.BeforeConfig;
import io.chimera.common.config.pipeline.BlockConfig;
import io.chimera.common.config.pipeline.BlockGraph;
import io.chimera.common.config.pipeline.CompositionConfig;
import io.chimera.common.config.pipeline.GateRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Validates configurations of compositions and creates their plans; reports all problems at once. Control plane. */
public final class CompositionPlanner {
    private final TransformTypes types;
    private final List<String> keys;
    private final List<ConfigProblem> problems = new ArrayList<>();
    private final Map<String, PlannedBlock> planned = new LinkedHashMap<>();

    private CompositionPlanner(TransformTypes types, List<String> keys) {
        this.types = types;
        this.keys = keys;
    }

    /**
     * Plans a composition before the sharding.
     *
     * @throws ConfigException for an invalid composition, with every problem and its place
     */
    public static CompositionPlan before(BeforeConfig config, TransformTypes types) {
        return new CompositionPlanner(types, List.of()).plan(config, 1, true);
    }

    /**
     * Plans a composition after the sharding.
     *
     * @throws ConfigException for an invalid composition, with every problem and its place
     */
    public static CompositionPlan after(AfterConfig config, TransformTypes types) {
        return new CompositionPlanner(types, config.keys()).plan(config, config.partitions(), false);
    }

    private CompositionPlan plan(CompositionConfig config, int partitions, boolean isBefore) {
        BlockGraph graph = BlockGraph.of(config);
        for (String name : graph.order()) {
            BlockConfig block = config.blocks().get(name);
            resolveType(block)
                    .flatMap(type -> planBlock(name, block, type, graph, isBefore))
                    .ifPresent(plan -> planned.put(name, plan));
        }
        List<GateRef> output = new ArrayList<>();
        graph.output(config.output()).forEach(ref -> resolve(ref, null).ifPresent(output::add));
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return new CompositionPlan(List.copyOf(planned.values()), output, partitions);
    }

    private Optional<TransformType> resolveType(BlockConfig block) {
        Optional<TransformType> type = types.find(block.type());
        if (type.isEmpty()) {
            problems.add(block.settings()
                    .problem(
                            "type",
                            "is of type '" + block.type() + "', but this type is not installed; installed types: "
                                    + String.join(", ", types.names()) + "."));
        }
        return type;
    }

    private Optional<PlannedBlock> planBlock(
            String name, BlockConfig config, TransformType type, BlockGraph graph, boolean isBefore) {
        try {
            Record settings = config.settings().bind(type.settings());
            PluginContext context = new PluginContext(name, config.settings().asMap(), settings);
            List<String> gates = type.gates(context);
            Duration horizon = type.horizon(context);
            BlockState state = type.state(context);
            checkAnswers(config, gates, horizon, state);
            if (isBefore && !horizon.isZero()) {
                problems.add(config.settings()
                        .problem(
                                "type",
                                "has state of the last " + ConfigWriter.text(horizon)
                                        + ", but blocks before the sharding (before)"
                                        + " cannot have state. Move the block to after."));
            }
            int wanted = type.keys(context);
            if (wanted > 0 && wanted != keys.size()) {
                problems.add(config.settings()
                        .problem(
                                "type",
                                "expects points by " + wanted + " keys, but after.keys names " + keys.size()
                                        + ". Name the fields or tags in the order expected by the block."));
            }
            List<GateRef> from = new ArrayList<>();
            config.sources().forEach(ref -> resolve(ref, config).ifPresent(from::add));
            int cpu = config.cpu() == null ? -1 : config.cpu();
            String thread = graph.thread(name);
            int pool = graph.pool(thread);
            if (pool > 1 && state == BlockState.UNDECLARED) {
                problems.add(config.settings()
                        .problem(
                                "type",
                                "does not declare its state, so the " + pool + " threads of the pool of " + thread
                                        + " cannot share its points. Remove threads.pool, make the edge of this block"
                                        + " queued without a pool, or declare the state in the plugin"
                                        + " (TransformType.state)."));
            }
            return Optional.of(new PlannedBlock(
                    name,
                    type,
                    context,
                    horizon,
                    new PlannedBlock.Wiring(gates, from),
                    new PlannedBlock.Place(thread, cpu, pool)));
        } catch (ConfigException e) {
            problems.addAll(e.problems());
        } catch (RuntimeException | LinkageError e) {
            problems.add(config.settings()
                    .problem(
                            "type",
                            "is of type " + config.type() + ", but the type failed: " + e + ". Correct the plugin."));
        }
        return Optional.empty();
    }

    private static void checkAnswers(BlockConfig config, List<String> gates, Duration horizon, BlockState state) {
        boolean isNamed = gates.stream().allMatch(gate -> gate.matches("[a-z0-9_]+"));
        if (gates.isEmpty() || !isNamed || gates.stream().distinct().count() < gates.size() || horizon.isNegative()) {
            throw new IllegalStateException("gates " + gates + " and horizon " + horizon + " of " + config.type()
                    + "; expected at least one gate, distinct names of lower-case letters, digits and underscores,"
                    + " and no negative horizon");
        }
        if (state != BlockState.UNDECLARED && (state == BlockState.BY_KEY) == horizon.isZero()) {
            throw new IllegalStateException("state " + state + " and horizon " + ConfigWriter.text(horizon) + " of "
                    + config.type() + "; expected a horizon for the state BY_KEY, and none for the state NONE");
        }
    }

    /** Returns the full name of a gate; for an unknown gate, reports the problem and returns empty. */
    private Optional<GateRef> resolve(GateRef ref, BlockConfig taker) {
        if (ref.isInput()) {
            return Optional.of(ref);
        }
        PlannedBlock block = planned.get(ref.block());
        if (block == null) {
            return Optional.empty(); // the problem of this block is already reported
        }
        if (ref.gate().isEmpty()) {
            return Optional.of(new GateRef(ref.block(), block.wiring().gates().get(0)));
        }
        if (!block.wiring().gates().contains(ref.gate())) {
            String known = "; gates of " + ref.block() + ": "
                    + String.join(", ", block.wiring().gates()) + ".";
            problems.add(
                    taker == null
                            ? ConfigProblem.ofFile("output", "Unknown gate " + ref + known)
                            : taker.settings()
                                    .problem("from", "names the gate " + ref + ", which does not exist" + known));
            return Optional.empty();
        }
        return Optional.of(ref);
    }
}
