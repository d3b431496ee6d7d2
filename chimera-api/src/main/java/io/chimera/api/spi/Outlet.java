package io.chimera.api.spi;

/** The gates of a block, by number in the order of {@link TransformType#gates}. Used within a call of the block only. */
public interface Outlet {
    /**
     * Emits the point that the block was given, as it is.
     *
     * @param gate number of the gate
     */
    void pass(int gate);

    /**
     * Begins a point of the block's own, dropping one that was begun and not ended. By a gate from which nobody takes nothing is built,
     * nor checked.
     *
     * @param gate number of the gate it leaves by
     * @return builds the point; the same object every time, valid until its {@link PointBuilder#end}
     */
    PointBuilder point(int gate);
}
