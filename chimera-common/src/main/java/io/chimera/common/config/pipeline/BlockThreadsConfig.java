package io.chimera.common.config.pipeline;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;

/** Threads of a queued block. */
public record BlockThreadsConfig(
        @Doc("Size of the thread pool that shares the points of a queued block; 1 to 32. The output keeps the order of"
                + " one thread. Each thread takes 8 MiB of queues. A block with state is shared by partitions.")
        @Default("1")
        Integer pool) {
    /** Checks the values. */
    public BlockThreadsConfig {
        new Requirements().between("pool", pool, 1, 32).check();
    }
}
