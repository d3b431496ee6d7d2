package io.chimera.node.launch;

import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.plugin.PluginRegistry;
import io.chimera.node.http.NodeFace;
import io.chimera.node.launch.Launcher.RunningNode;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Running node with all resources opened for the node.
 *
 * @param face the node's data for the HTTP port
 * @param holding loads further pipelines
 * @param leaving starts the drain
 * @param awaited reason why the drain has not finished
 * @param opened resources, closed with the node
 */
record OpenedNode(
        NodeFace face, Holding holding, Consumer<Boolean> leaving, Supplier<Optional<String>> awaited, Opened opened)
        implements RunningNode {
    /** Implements {@link RunningNode#hold}. */
    @FunctionalInterface
    interface Holding {
        void hold(ConfigurationDigest digest, ChimeraConfig config, PluginRegistry plugins);
    }

    @Override
    public void hold(ConfigurationDigest digest, ChimeraConfig config, PluginRegistry plugins) {
        holding.hold(digest, config, plugins);
    }

    @Override
    public void leave(boolean forGood) {
        leaving.accept(forGood);
    }

    @Override
    public Optional<String> awaits() {
        return awaited.get();
    }

    @Override
    public void close() {
        opened.close();
    }
}
