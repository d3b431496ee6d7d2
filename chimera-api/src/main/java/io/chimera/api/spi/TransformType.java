package io.chimera.api.spi;

import java.time.Duration;
import java.util.List;

/**
 * A type of {@link Transform} for use as a block of a composition. {@link java.util.ServiceLoader} finds the type, and
 * the configuration selects the type by name with the key {@code type} of the block. Each class loader has one
 * instance; any thread may call the instance.
 */
public interface TransformType extends Plugin {
    /** The gate of a block without declared gates. */
    String OUT = "out";

    /**
     * Returns the names of the output gates, in the order of the numbers in {@link Outlet}.
     *
     * @param context name and settings of the block
     * @return at least one name
     */
    default List<String> gates(PluginContext context) {
        return List.of(OUT);
    }

    /**
     * Returns how far back in time the state of an instance reaches.
     *
     * <p>After a takeover of a partition, the new owner replays the points of the horizon to a new instance and drops
     * the output of the replay. So the output of an instance must not depend on points older than the horizon. Discard
     * older state, or the results after a takeover differ from the results without a takeover.
     *
     * @param context name and settings of the block
     * @return zero for a block without state between points; such a block may also run before sharding
     */
    default Duration horizon(PluginContext context) {
        return Duration.ZERO;
    }

    /**
     * Returns the state of the block between points. The key {@code threads.pool} of a block needs a declared state.
     *
     * @param context name and settings of the block
     * @return {@link BlockState#UNDECLARED} by default: one thread runs the block
     */
    default BlockState state(PluginContext context) {
        return BlockState.UNDECLARED;
    }

    /**
     * Returns the number of keys ({@code after.keys}) that the block requires of its pipeline. The block reads the key
     * of a point with {@link PointView#key}.
     *
     * @param context name and settings of the block
     * @return 0 for a block that works with any number of keys
     */
    default int keys(PluginContext context) {
        return 0;
    }

    /**
     * Creates an instance. A block with a horizon has one instance per partition of the keys; the instance holds the
     * state of the partition. A block without a horizon has one instance per thread.
     *
     * @param context name and settings of the block
     * @return a new object
     */
    Transform create(PluginContext context);
}
