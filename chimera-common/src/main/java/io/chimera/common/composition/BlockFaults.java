package io.chimera.common.composition;

import io.chimera.api.spi.PointView;

/** Hears of blocks that throw: counts, and writes dead letters. Called on the thread of the block. */
public interface BlockFaults {
    /**
     * A block threw; what it emitted for the point is dropped.
     *
     * @param block name of the block
     * @param point what it was given, valid during the call; null at the end of a cycle
     * @param fault what it threw
     */
    void onFault(String block, PointView point, Throwable fault);
}
