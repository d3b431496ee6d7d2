package io.chimera.common.composition;

/** Consumer of single points. */
public interface PointConsumer {
    /**
     * Accepts a point.
     *
     * @param point valid during the call
     * @param partition partition of the composition's original input point, unchanged by the blocks
     */
    void accept(PointFlyweight point, int partition);
}
