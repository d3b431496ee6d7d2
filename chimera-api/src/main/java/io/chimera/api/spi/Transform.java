package io.chimera.api.spi;

/**
 * A block of a composition: takes points one at a time and emits none, the same, or others. One thread at a time. What it emits
 * depends on nothing but its settings and the points it was given, in their order: not on clocks, chance or other systems.
 * A replay gives the same points in the same order and has to get the same answers.
 */
public interface Transform extends AutoCloseable {
    /**
     * Takes a point. When it throws, the point goes to the dead letters, and what was emitted for it is dropped.
     *
     * @param point valid during the call, as is every text taken from it
     * @param out where points leave; valid during the call
     */
    void apply(PointView point, Outlet out);

    /**
     * Every point of a cycle was taken. Called behind the shard only, once for each cycle, whether it had points or not.
     *
     * @param timeNs time of the cycle, nanoseconds since 1970; grows from cycle to cycle
     * @param out where points leave; valid during the call; there is no point to {@link Outlet#pass}
     */
    default void endCycle(long timeNs, Outlet out) {}

    /** Called once after the last point. */
    @Override
    default void close() {}
}
