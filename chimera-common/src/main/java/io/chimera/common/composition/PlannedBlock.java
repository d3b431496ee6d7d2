package io.chimera.common.composition;

import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.TransformType;
import io.chimera.common.config.GateRef;
import java.time.Duration;
import java.util.List;

/**
 * Block of a plan. Immutable.
 *
 * @param name name in the configuration
 * @param type type of the block, creates the instances
 * @param context name and settings of the block
 * @param gates names of the gates, ordered by gate number
 * @param horizon time range of the past input with effect on the state; zero for a block without state
 * @param from source gates, each with its full name
 * @param thread name of the thread; see {@link io.chimera.common.config.BlockGraph#thread}
 * @param cpu core for the thread; -1 without binding
 */
public record PlannedBlock(
        String name,
        TransformType type,
        PluginContext context,
        List<String> gates,
        Duration horizon,
        List<GateRef> from,
        String thread,
        int cpu) {
    /** Copies the lists. */
    public PlannedBlock {
        gates = List.copyOf(gates);
        from = List.copyOf(from);
    }

    /** Returns whether the block has state; each partition then has its own instance. */
    public boolean hasState() {
        return !horizon.isZero();
    }

    /** Returns whether the block begins a new thread. */
    public boolean isQueued() {
        return thread.equals(name);
    }
}
