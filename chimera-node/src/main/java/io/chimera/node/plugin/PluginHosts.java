package io.chimera.node.plugin;

import io.chimera.common.plugin.PluginHost;
import io.chimera.common.plugin.PluginRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.agrona.CloseHelper;

/** Plugins of one node: the plugins of its start, and the reloaded plugins in use. Any thread. */
public final class PluginHosts implements AutoCloseable {
    private final Function<PluginRegistry, PluginHost> maker;
    private final PluginHost first;
    private final List<PluginHost> others = new ArrayList<>();
    private PluginRegistry newest;

    /**
     * Creates the plugins of a node's start.
     *
     * @param maker prepares plugins for use
     */
    public PluginHosts(PluginRegistry started, Function<PluginRegistry, PluginHost> maker) {
        this.maker = maker;
        newest = started;
        first = maker.apply(started);
    }

    /** Returns the plugins of the node's start. */
    public PluginHost first() {
        return first;
    }

    /**
     * Passes reloaded plugins to the node, and closes plugins out of use.
     *
     * @param holding accepts the plugins, or throws
     * @param used plugins in use by the node
     */
    public synchronized void hold(PluginRegistry again, Consumer<PluginHost> holding, Supplier<Set<PluginHost>> used) {
        PluginHost next = maker.apply(again);
        others.add(next);
        try {
            holding.accept(next);
            newest = again;
        } finally {
            Set<PluginHost> kept = used.get();
            others.removeIf(host -> {
                boolean isOver = !kept.contains(host);
                if (isOver) {
                    host.close();
                }
                return isOver;
            });
        }
    }

    /** Returns the plugins of the last reload. */
    synchronized PluginRegistry newest() {
        return newest;
    }

    /** Returns current problems of plugins, one sentence each. */
    synchronized List<String> troubles() {
        List<String> troubles = new ArrayList<>(first.troubles());
        others.forEach(host -> troubles.addAll(host.troubles()));
        return troubles;
    }

    @Override
    public synchronized void close() {
        CloseHelper.quietCloseAll(others);
        first.close();
    }
}
