package io.chimera.apps.node;

import io.chimera.apps.node.Launcher.RunningNode;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.plugin.PluginRegistry;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A running node, and all that was opened for it.
 *
 * @param face what it shows
 * @param holding gives it other pipelines
 * @param leaving asks it to leave
 * @param awaited what it waits for before it may be closed
 * @param opened closed with the node
 */
record OpenedNode(
        NodeFace face, Holding holding, Consumer<Boolean> leaving, Supplier<Optional<String>> awaited, Opened opened)
        implements RunningNode {
    /** See {@link RunningNode#hold}. */
    @FunctionalInterface
    interface Holding {
        /** Gives it. */
        void hold(String digest, ChimeraConfig config, PluginRegistry plugins);
    }

    @Override
    public void hold(String digest, ChimeraConfig config, PluginRegistry plugins) {
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
