package io.chimera.common.composition;

/** Takes points one at a time. */
public interface PointConsumer {
    /**
     * Takes a point.
     *
     * @param point valid during the call
     * @param partition the partition of the point that came into the composition, whatever became of it since
     */
    void accept(PointFlyweight point, int partition);
}
