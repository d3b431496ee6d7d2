package io.chimera.common.cluster;

/**
 * The coordinator as a queue node or processor sees it. No call blocks or fails: what is asked for is tried until it
 * stands or is overtaken, and its effect is seen in a later {@link #view()}.
 */
public interface Cluster extends AutoCloseable {
    /** The newest view. Any thread. */
    ClusterView view();

    /**
     * Runs something whenever the view has changed. It must not wait: it wakes whoever looks.
     *
     * @param listener called by any thread, also when nothing has changed
     */
    void onView(Runnable listener);

    /**
     * Announces this queue node, or what has changed about it. A newer announcement replaces one that is still on its way.
     */
    void announce(QueueMember self);

    /** Announces this processor, or what has changed about it. */
    void announce(ProcessorMember self);

    /** Announces this archive node, or what has changed about it. */
    void announce(ArchiveMember self);

    /**
     * Commits a shard, unless its cycle was assigned anew meanwhile: then it has no effect and a later view shows the
     * other assignment.
     *
     * @param commit what is committed
     * @param assignmentVersion version of the assignment under which the shard was flushed
     */
    void commit(ShardCommit commit, int assignmentVersion);

    /** Withdraws the announcement at once, so that nobody waits for a session to expire. */
    @Override
    void close();
}
