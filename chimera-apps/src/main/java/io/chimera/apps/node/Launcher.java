package io.chimera.apps.node;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.plugin.PluginRegistry;
import java.util.Optional;

/** Makes a node of a configuration and starts it. */
@FunctionalInterface
interface Launcher {
    /**
     * Starts a node. What is not reachable yet (ZooKeeper, a store, other nodes) is waited for by the running node, not
     * here.
     *
     * @return the running node
     * @throws io.chimera.common.error.ChimeraException when it cannot start: names place and remedy
     */
    RunningNode launch(NodeContext context);

    /** A node that runs until it is closed. */
    interface RunningNode extends AutoCloseable {
        /** What it shows. */
        NodeFace face();

        /**
         * Asks it to leave the cluster in order: it finishes what it has, and gets nothing new.
         *
         * @param forGood whether it shall not be waited for any more
         * @throws io.chimera.common.error.ChimeraException when points would be lost with it
         */
        void leave(boolean forGood);

        /**
         * Takes other pipelines beside those in force.
         *
         * @param digest what members announce that have the same
         * @param config with these pipelines; else what the node was started with
         * @param plugins that were read again, where what they name is found
         * @throws io.chimera.common.error.ChimeraException when it cannot
         */
        void hold(String digest, ChimeraConfig config, PluginRegistry plugins);

        /** After {@link #leave}: what it waits for, in words that follow "waits for"; empty when it may be closed. */
        Optional<String> awaits();

        /** Stops it in order: takes nothing more, finishes what is on its way, leaves the cluster. */
        @Override
        void close();
    }
}
