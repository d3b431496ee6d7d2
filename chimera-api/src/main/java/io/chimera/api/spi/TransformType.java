package io.chimera.api.spi;

import java.time.Duration;
import java.util.List;

/**
 * A kind of {@link Transform} that a composition may use as a block, found by {@link java.util.ServiceLoader} and chosen by its
 * name as {@code type} of the block. One instance per class loader; any thread.
 */
public interface TransformType extends Plugin {
    /** The gate of a block that declares no others. */
    String OUT = "out";

    /**
     * Names of the gates by which points leave, in the order of the numbers that {@link Outlet} takes.
     *
     * @param context the block's name and settings
     * @return at least one name
     */
    default List<String> gates(PluginContext context) {
        return List.of(OUT);
    }

    /**
     * How far back in time the state of an instance reaches. Whoever takes a partition over gives a new instance the points of
     * so long before it goes on, and what that emits meanwhile is dropped. So what an instance emits must not depend on points
     * further back than that: let go of what is older, or scores after a takeover differ from those without one.
     *
     * @param context the block's name and settings
     * @return zero for a block that keeps nothing from one point to the next; then it may stand ahead of the shard
     */
    default Duration horizon(PluginContext context) {
        return Duration.ZERO;
    }

    /**
     * How many keys ({@code after.keys}) a pipeline has to have for the block, which tells by {@link PointView#key} what a point is here for.
     *
     * @param context the block's name and settings
     * @return 0 for a block that does not mind
     */
    default int keys(PluginContext context) {
        return 0;
    }

    /**
     * An instance. A block with a horizon has one for each partition of the keys, and its state is the state of that
     * partition; a block without has one for each thread.
     *
     * @param context the block's name and settings
     * @return a new object
     */
    Transform create(PluginContext context);
}
