package io.chimera.node.launch;

import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.plugin.PluginRegistry;
import io.chimera.node.http.NodeFace;
import java.util.Optional;

/** Creates and starts a node from a configuration. */
@FunctionalInterface
interface Launcher {
    /**
     * Starts a node. The running node itself waits for unreachable dependencies (ZooKeeper, a store, other nodes), not
     * this method.
     *
     * @return the running node
     * @throws io.chimera.common.error.ChimeraException when the node cannot start; names the cause and a remedy
     */
    RunningNode launch(NodeContext context);

    /** Node that runs until {@link #close}. */
    interface RunningNode extends AutoCloseable {
        /** Returns the node's data for the HTTP port. */
        NodeFace face();

        /**
         * Starts to drain the node: the node finishes its open work and accepts no new work.
         *
         * @param forGood whether the cluster shall remove the node instead of waiting for its return
         * @throws io.chimera.common.error.ChimeraException when the departure would lose points
         */
        void leave(boolean forGood);

        /**
         * Loads further pipelines in addition to the active ones.
         *
         * @param digest digest of the configuration, as announced by members that hold it
         * @param config configuration with the new pipelines; all other sections as at the start
         * @param plugins reloaded plugins for the new pipelines
         * @throws io.chimera.common.error.ChimeraException when the node cannot run the pipelines
         */
        void hold(ConfigurationDigest digest, ChimeraConfig config, PluginRegistry plugins);

        /**
         * After {@link #leave}: reason why the drain has not finished, phrased to complete "waits for …"; empty once
         * the node may stop.
         */
        Optional<String> awaits();

        /** Stops the node in order: accepts no new work, finishes work in progress, leaves the cluster. */
        @Override
        void close();
    }
}
