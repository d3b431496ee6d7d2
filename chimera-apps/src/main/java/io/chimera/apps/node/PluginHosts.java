package io.chimera.apps.node;

import io.chimera.common.plugin.PluginHost;
import io.chimera.common.plugin.PluginRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.agrona.CloseHelper;

/** The plugins of one node: those that it was started with, and those that were read again and are in use. Any thread. */
final class PluginHosts implements AutoCloseable {
    private final Function<PluginRegistry, PluginHost> maker;
    private final PluginHost first;
    private final List<PluginHost> others = new ArrayList<>();
    private PluginRegistry newest;

    /**
     * Those that a node is started with.
     *
     * @param maker makes plugins ready to be used
     */
    PluginHosts(PluginRegistry started, Function<PluginRegistry, PluginHost> maker) {
        this.maker = maker;
        newest = started;
        first = maker.apply(started);
    }

    /** Those that the node was started with. */
    PluginHost first() {
        return first;
    }

    /**
     * Gives the node plugins that were read again, and closes those that it does not use any more.
     *
     * @param holding takes them, or throws
     * @param used those that the node uses
     */
    synchronized void hold(PluginRegistry again, Consumer<PluginHost> holding, Supplier<Set<PluginHost>> used) {
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

    /** Those that were read last. */
    synchronized PluginRegistry newest() {
        return newest;
    }

    /** What is wrong with plugins now, one sentence each. */
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
