package io.chimera.common.cluster;

import io.chimera.common.cluster.archive.ArchiveMember;

/**
 * Connection of a queue node, processor or archive node to the coordinator. No call blocks or fails: a request is
 * retried until it succeeds or a newer request replaces it, and a later {@link #view()} shows its effect.
 */
public interface Cluster extends AutoCloseable {
    /** Newest view. Any thread. */
    ClusterView view();

    /**
     * Registers a listener for view changes. The listener must not block; it should only wake the thread in charge.
     *
     * @param listener called by any thread, possibly without a change
     */
    void onView(Runnable listener);

    /** Announces this queue node or its changed state. A newer announcement replaces a pending older announcement. */
    void announce(QueueMember self);

    /** Announces this processor or its changed state. */
    void announce(ProcessorMember self);

    /** Announces this archive node or its changed state. */
    void announce(ArchiveMember self);

    /**
     * Commits a shard. Has no effect if the cycle has been reassigned in the meantime; a later view then shows the new
     * assignment.
     *
     * @param commit the commit
     * @param assignmentVersion version of the assignment of the flushed shard
     */
    void commit(ShardCommit commit, int assignmentVersion);

    /** Withdraws the announcement immediately; the cluster need not wait for the expiry of the session. */
    @Override
    void close();
}
