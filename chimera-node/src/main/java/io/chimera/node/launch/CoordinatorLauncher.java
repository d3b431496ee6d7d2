package io.chimera.node.launch;

import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.CoordinatorConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.CoordinatorGauge;
import io.chimera.common.metrics.Metrics;
import io.chimera.common.plugin.PluginRegistry;
import io.chimera.coordinator.CoordinatorNode;
import io.chimera.coordinator.CoordinatorSettings;
import io.chimera.coordinator.conductor.AccountDecision;
import io.chimera.coordinator.conductor.CommittedCycle;
import io.chimera.coordinator.conductor.ConductorSettings;
import io.chimera.node.NodeNames;
import io.chimera.node.cluster.ClusterSettings;
import io.chimera.node.http.NodeCommand;
import io.chimera.node.http.NodeFace;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Starts a coordinator. */
final class CoordinatorLauncher implements Launcher {
    @Override
    public RunningNode launch(NodeContext context) {
        CoordinatorNode node = new CoordinatorNode(settings(context), context.clock(), context.errors());
        register(context.metrics(), node);
        return new Running(node, new Face(context, node));
    }

    private static CoordinatorSettings settings(NodeContext context) {
        ChimeraConfig config = context.config();
        ConductorSettings conductor = new ConductorSettings(
                config.cycle().periods(),
                config.cycle().maxPoints(),
                config.cycle().inFlight(),
                new ReplicationPolicy(config.queue().acks(), config.queue().minAcks()),
                context.agreement(),
                new ConductorSettings.Tolerances(
                        ConductorSettings.GRACE_DEFAULT,
                        config.coordinator().stragglerAfter(),
                        ConductorSettings.FINISH_AFTER_DEFAULT,
                        config.cycle().clockStepMax(),
                        config.coordinator().sessionTimeout().plus(ConductorSettings.UNREACHABLE_AFTER_DEFAULT)));
        return new CoordinatorSettings(
                context.id(),
                embedded(context),
                ClusterSettings.of(config.coordinator(), context.certificates().coordinator()),
                conductor);
    }

    private static Optional<CoordinatorSettings.Embedded> embedded(NodeContext context) {
        CoordinatorConfig config = context.config().coordinator();
        if (!config.runsEmbedded()) {
            return Optional.empty();
        }
        Path given = config.embedded().dataDir();
        Path directory = given.toString().isEmpty() ? context.dataDir().resolve("zookeeper") : given;
        return Optional.of(
                new CoordinatorSettings.Embedded(directory, config.embedded().address(), context.access()));
    }

    private static void register(Metrics metrics, CoordinatorNode node) {
        metrics.register("conductor", node.counters());
        metrics.register("cluster", node.clusterCounters());
        metrics.register("conductor", CoordinatorGauge.LEADING, () -> node.isLeading() ? 1L : 0L);
        metrics.register(
                "cluster", CoordinatorGauge.CONNECTED, () -> node.view().connected() ? 1L : 0L);
        metrics.register("cluster", CoordinatorGauge.QUEUE_NODES, () ->
                (long) node.view().queues().size());
        metrics.register("cluster", CoordinatorGauge.PROCESSORS, () ->
                (long) node.view().processors().size());
        metrics.register("cluster", CoordinatorGauge.COPIES_MISSING, () -> (long) node.copiesMissing());
        metrics.register("cluster", CoordinatorGauge.CHANGE_WAITS_FOR, () -> (long) node.changeWaitsFor());
        metrics.register("cluster", CoordinatorGauge.CYCLES_OPEN, () ->
                (long) node.view().cycles().size());
        metrics.register("cluster", CoordinatorGauge.CYCLES_UNACCOUNTED, () -> (long) node.unaccountedCycles());
        metrics.register(
                "cluster", CoordinatorGauge.LAST_CYCLE, () -> node.view().low().cycle());
        metrics.register(
                "conductor",
                CoordinatorGauge.CYCLE_PERIOD_SECONDS,
                () -> node.cyclePeriod().toMillis() / 1e3);
        metrics.register("conductor", CoordinatorGauge.COMMIT_LATENCY_SECONDS, () -> {
            long latencyMs = node.status().lastCommitLatencyMs();
            return latencyMs < 0 ? Double.NaN : latencyMs / 1e3;
        });
        metrics.register(
                "conductor",
                CoordinatorGauge.SHARD_SKEW,
                () -> CommittedCycle.lastSkew(node.status().committed()));
    }

    /** Running coordinator. A coordinator leaves at once: its successor continues from the state in ZooKeeper. */
    private record Running(CoordinatorNode node, NodeFace face) implements RunningNode {
        @Override
        public void leave(boolean forGood) {}

        @Override
        public void hold(ConfigurationDigest digest, ChimeraConfig config, PluginRegistry plugins) {
            node.want(digest);
        }

        @Override
        public Optional<String> awaits() {
            return Optional.empty();
        }

        @Override
        public void close() {
            node.close();
        }
    }

    private record Face(NodeContext context, CoordinatorNode node) implements NodeFace {
        @Override
        public String role() {
            return NodeNames.role(context.role());
        }

        @Override
        public String id() {
            return context.id();
        }

        @Override
        public List<String> notReady() {
            return node.problem().stream().toList();
        }

        @Override
        public List<String> warnings() {
            return node.warnings();
        }

        @Override
        public Metrics metrics() {
            return context.metrics();
        }

        @Override
        public Map<String, NodeCommand> commands() {
            return Map.of("remove", this::remove, "account", this::account);
        }

        private String remove(UnaryOperator<String> parameters) {
            String queueNode = parameters.apply("node");
            if (queueNode == null) {
                throw new ChimeraException(Category.ERROR, "Name the queue node: /-/remove?node=<id>.");
            }
            try {
                return node.remove(queueNode, "true".equals(parameters.apply("lost")));
            } catch (IllegalArgumentException e) {
                throw new ChimeraException(Category.ERROR, "This is no id of a queue node. " + e.getMessage() + ".", e);
            }
        }

        private String account(UnaryOperator<String> parameters) {
            String decision = parameters.apply("decision");
            try {
                return node.account(
                        Long.parseLong(parameters.apply("cycle")),
                        decision == null
                                ? AccountDecision.NONE
                                : AccountDecision.valueOf(decision.toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException e) {
                throw new ChimeraException(
                        Category.ERROR,
                        "Name the cycle and, for a change, the decision:"
                                + " /-/account?cycle=<number>&decision=replay|accept.",
                        e);
            }
        }

        @Override
        public Object status() {
            return node.status();
        }
    }
}
