package io.chimera.common.composition;

import io.chimera.api.spi.PointView;

/** Handler of block failures; counts failures and writes dead letters. Called on the thread of the block. */
public interface BlockFaults {
    /**
     * Handles an exception of a block; the block's output for the point has been dropped.
     *
     * @param block name of the block
     * @param point input of the block, valid during the call; null at the end of a cycle
     * @param fault the exception
     */
    void onFault(String block, PointView point, Throwable fault);
}
