package io.chimera.common.cluster;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Cycle above the low-water mark with its progress.
 *
 * @param cycle content of the cycle
 * @param assignment current assignment
 * @param commits known commits by shard: all commits for a coordinator, the commits of its own shards for a processor
 * @param isVerified whether the conductor has recorded that every shard is committed
 */
public record OpenCycle(
        Cycle cycle, Assignment assignment, SortedMap<Integer, ShardCommit> commits, boolean isVerified) {
    /** Copies the map. */
    public OpenCycle {
        commits = Collections.unmodifiableSortedMap(new TreeMap<>(commits));
    }

    /** Creates a cycle that is not recorded as verified. */
    public OpenCycle(Cycle cycle, Assignment assignment, SortedMap<Integer, ShardCommit> commits) {
        this(cycle, assignment, commits, false);
    }

    /** Returns the cycle as the members of a journal group see it. */
    OpenCycle in(JournalGroup group) {
        return new OpenCycle(cycle.in(group), assignment, commits, isVerified);
    }

    /** Returns whether every shard is known to be committed. */
    public boolean isCommitted() {
        return isVerified || commits.size() == cycle.shards();
    }

    /** Returns whether a shard is known to be committed. */
    public boolean isCommitted(int shard) {
        return isVerified || commits.containsKey(shard);
    }
}
