package io.chimera.processor.staging.warehouse;

import io.chimera.api.spi.Aggregator;
import java.util.List;

/**
 * The aggregator plugins of a pipeline in two sets of instances, because an instance is called by a single thread:
 * staging's thread folds with the first set, the flusher's thread merges and reads results with the second.
 */
public final class Plugins {
    /** No plugin. */
    public static final Plugins NONE = new Plugins(List.of(), List.of());

    private final List<? extends PluginState<?>> folding;
    private final List<? extends PluginState<?>> merging;

    /**
     * Wraps the plugins.
     *
     * @param folding for staging's thread
     * @param merging other instances of the same plugins, in the same order, for the flusher's thread
     */
    public Plugins(List<Aggregator<?>> folding, List<Aggregator<?>> merging) {
        this.folding = folding.stream().map(PluginState::of).toList();
        this.merging = merging.stream().map(PluginState::of).toList();
    }

    int count() {
        return folding.size();
    }

    PluginState<?> folding(int plugin) {
        return folding.get(plugin);
    }

    PluginState<?> merging(int plugin) {
        return merging.get(plugin);
    }
}
