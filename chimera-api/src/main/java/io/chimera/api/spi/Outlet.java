package io.chimera.api.spi;

/**
 * Output gates of a block, numbered in the order of {@link TransformType#gates}. Valid only during a call of the block.
 */
public interface Outlet {
    /**
     * Emits the input point unchanged.
     *
     * @param gate number of the gate
     */
    void pass(int gate);

    /**
     * Begins a new point and drops an unfinished point. When no block and no output takes points from the gate, the
     * point is neither built nor checked.
     *
     * @param gate number of the gate for the point
     * @return builder of the point; always the same object, valid until {@link PointBuilder#end}
     */
    PointBuilder point(int gate);
}
