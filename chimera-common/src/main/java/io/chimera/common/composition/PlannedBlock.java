package io.chimera.common.composition;

import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.TransformType;
import io.chimera.common.config.GateRef;
import java.time.Duration;
import java.util.List;

/**
 * A block of a plan. Immutable.
 *
 * @param name its name in the configuration
 * @param type makes its instances
 * @param context its name and settings
 * @param gates names of its gates, in the order of their numbers
 * @param horizon how far back its state reaches; zero when it keeps nothing
 * @param from gates that it takes from, each by its full name
 * @param thread name of its thread; see {@link io.chimera.common.config.BlockGraph#thread}
 * @param cpu core that the thread is bound to; -1 for none
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
    /** Takes unmodifiable copies of the lists. */
    public PlannedBlock {
        gates = List.copyOf(gates);
        from = List.copyOf(from);
    }

    /** Whether it keeps state, which then belongs to partitions. */
    public boolean hasState() {
        return !horizon.isZero();
    }

    /** Whether it begins a thread of its own. */
    public boolean isQueued() {
        return thread.equals(name);
    }
}
