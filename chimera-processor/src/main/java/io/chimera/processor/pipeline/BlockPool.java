package io.chimera.processor.pipeline;

import io.chimera.common.composition.PoolUse;
import java.util.List;

/**
 * Use of a thread pool of a composition after sharding.
 *
 * @param pipeline name of the pipeline with the composition
 * @param isReplay whether the pool belongs to the blocks of replay cycles
 * @param use use of the pool
 */
public record BlockPool(String pipeline, boolean isReplay, PoolUse use) {
    /** Returns the total number of threads with points. */
    public static long usedOf(List<BlockPool> all) {
        return all.stream().mapToLong(pool -> pool.use().used()).sum();
    }

    /** Returns the total number of points in the pools. */
    public static long waitingOf(List<BlockPool> all) {
        return all.stream().mapToLong(pool -> pool.use().waiting()).sum();
    }
}
