package io.chimera.api.spi;

/**
 * A block of a composition. Receives points one at a time, and emits for each point nothing, the point itself, or new
 * points. One thread at a time calls an instance.
 *
 * <p>The emitted points must depend on nothing but the settings and the input points in their order: not on clocks,
 * random numbers or other systems. A replay gives the same points in the same order and must produce the same output.
 */
public interface Transform extends AutoCloseable {
    /**
     * Processes a point. When the call throws, the point goes to the dead letters, and the points emitted for the point
     * are dropped.
     *
     * @param point valid during the call, like every text of the point
     * @param out receives the emitted points; valid during the call
     */
    void apply(PointView point, Outlet out);

    /**
     * Signals that the block has received every point of a cycle. Called only for blocks after sharding, once for each
     * cycle, including cycles without points.
     *
     * @param timeNs time of the cycle, nanoseconds since 1970; increases from cycle to cycle
     * @param out receives the emitted points; valid during the call; {@link Outlet#pass} is not allowed, because there
     *     is no input point
     */
    default void endCycle(long timeNs, Outlet out) {}

    /** Called once after the last point. */
    @Override
    default void close() {}
}
