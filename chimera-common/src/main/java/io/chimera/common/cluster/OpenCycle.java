package io.chimera.common.cluster;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A cycle above the low-water mark, as the coordinator knows it.
 *
 * @param cycle its content
 * @param assignment who works on it
 * @param commits what is committed of it, by shard
 */
public record OpenCycle(Cycle cycle, Assignment assignment, SortedMap<Integer, ShardCommit> commits) {
    /** Takes an unmodifiable copy. */
    public OpenCycle {
        commits = Collections.unmodifiableSortedMap(new TreeMap<>(commits));
    }

    /** Whether every shard is committed. */
    public boolean isCommitted() {
        return commits.size() == cycle.shards();
    }

    /** Whether a shard is committed. */
    public boolean isCommitted(int shard) {
        return commits.containsKey(shard);
    }
}
