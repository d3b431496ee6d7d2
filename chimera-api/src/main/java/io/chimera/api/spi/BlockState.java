package io.chimera.api.spi;

/** State of a block between points, which decides whether a pool of threads may share the points of the block. */
public enum BlockState {
    /** Not declared: a single thread runs the block. */
    UNDECLARED,

    /**
     * No state: the output for a point depends on the settings and this point alone, and the output at the end of a
     * cycle on no point. Each thread of a pool has an instance; one of the instances gets the end of a cycle. The
     * horizon is zero.
     */
    NONE,

    /**
     * State by key: the output for a point depends on the points of the same partition, through the state of one
     * instance. Instances share nothing, and several threads call different instances at the same time. The horizon is
     * more than zero.
     */
    BY_KEY
}
