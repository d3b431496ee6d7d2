package io.chimera.common.composition;

import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.TransformType;
import io.chimera.common.config.pipeline.GateRef;
import java.time.Duration;
import java.util.List;

/**
 * Block of a plan. Immutable.
 *
 * @param name name in the configuration
 * @param type type of the block, creates the instances
 * @param context name and settings of the block
 * @param horizon time range of the past input with effect on the state; zero for a block without state
 * @param wiring gates and sources
 * @param place thread of the block
 */
public record PlannedBlock(
        String name, TransformType type, PluginContext context, Duration horizon, Wiring wiring, Place place) {
    /**
     * Connections of a block.
     *
     * @param gates names of the gates, ordered by gate number
     * @param from source gates, each with its full name
     */
    public record Wiring(List<String> gates, List<GateRef> from) {
        /** Copies the lists. */
        public Wiring {
            gates = List.copyOf(gates);
            from = List.copyOf(from);
        }
    }

    /**
     * Thread of a block.
     *
     * @param thread name of the thread; see {@link io.chimera.common.config.pipeline.BlockGraph#thread}
     * @param cpu core for the thread; -1 without binding
     * @param pool number of threads that share the points of this block; 1 without a pool
     */
    public record Place(String thread, int cpu, int pool) {}

    /** Returns whether the block has state; each partition then has its own instance. */
    public boolean hasState() {
        return !horizon.isZero();
    }

    /** Returns whether the block begins a new thread. */
    public boolean isQueued() {
        return place.thread().equals(name);
    }
}
