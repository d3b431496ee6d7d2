package io.chimera.queue;

import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.cluster.archive.ArchiveMember;

/**
 * The cluster as the members of a journal group see it: a queue node copies, acknowledges, sends and truncates the
 * streams of its own group only. Any thread.
 */
final class GroupCluster implements Cluster {
    private final Cluster cluster;
    private final JournalGroup group;
    private volatile Narrowed newest;

    /** A view of the cluster with the view of the group, so that each view is narrowed once. */
    private record Narrowed(ClusterView whole, ClusterView view) {}

    GroupCluster(Cluster cluster, JournalGroup group) {
        this.cluster = cluster;
        this.group = group;
        newest = narrow(cluster.view());
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // each view is a new object
    public ClusterView view() {
        ClusterView whole = cluster.view();
        Narrowed known = newest;
        if (known.whole != whole) {
            known = narrow(whole);
            newest = known;
        }
        return known.view;
    }

    private Narrowed narrow(ClusterView whole) {
        return new Narrowed(whole, whole.in(group));
    }

    @Override
    public void onView(Runnable listener) {
        cluster.onView(listener);
    }

    @Override
    public void announce(QueueMember member) {
        cluster.announce(member);
    }

    @Override
    public void announce(ProcessorMember member) {
        cluster.announce(member);
    }

    @Override
    public void announce(ArchiveMember member) {
        cluster.announce(member);
    }

    @Override
    public void commit(ShardCommit commit, int assignmentVersion) {
        cluster.commit(commit, assignmentVersion);
    }

    @Override
    public void close() {
        cluster.close();
    }
}
