package io.chimera.common.cluster;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Cycle above the low-water mark with its progress.
 *
 * @param cycle content of the cycle
 * @param assignment current assignment
 * @param commits commits by shard
 */
public record OpenCycle(Cycle cycle, Assignment assignment, SortedMap<Integer, ShardCommit> commits) {
    /** Copies the map. */
    public OpenCycle {
        commits = Collections.unmodifiableSortedMap(new TreeMap<>(commits));
    }

    /** Returns the cycle as the members of a journal group see it. */
    OpenCycle in(JournalGroup group) {
        return new OpenCycle(cycle.in(group), assignment, commits);
    }

    /** Returns whether every shard is committed. */
    public boolean isCommitted() {
        return commits.size() == cycle.shards();
    }

    /** Returns whether a shard is committed. */
    public boolean isCommitted(int shard) {
        return commits.containsKey(shard);
    }
}
