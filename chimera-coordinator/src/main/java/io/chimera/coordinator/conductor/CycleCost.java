package io.chimera.coordinator.conductor;

import java.util.Map;

/**
 * Measured time of a committed cycle.
 *
 * @param cycle number of the cycle
 * @param points number of its points
 * @param tookNs time from its begin to its last commit
 * @param work work of each processor, by session
 */
record CycleCost(long cycle, long points, long tookNs, Map<Long, Work> work) {
    /**
     * Work of a processor for a cycle.
     *
     * @param points points of its shards
     * @param ns time to the last commit of its shards, from the begin of the cycle or from the last commit of its
     *     earlier cycles, whichever is later: a processor with a backlog begins with a cycle when its earlier cycles
     *     are committed
     */
    record Work(long points, long ns) {}
}
