package io.chimera.testkit.cluster;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.archive.Archives;

/** View of one client of a {@link MemoryCluster}: the newest published state, with a separate revision. */
final class MemorySight {
    private static final long NEVER = -1;

    private volatile ClusterView view = ClusterView.NONE;
    private long membersRevision = NEVER;
    private long cyclesRevision = NEVER;

    MemorySight() {}

    /** Newest published view. Any thread. */
    ClusterView view() {
        return view;
    }

    /** Returns whether the complete state was read since the connection was made. */
    boolean isWhole() {
        return membersRevision != NEVER;
    }

    /** Returns whether an unpublished change exists. */
    boolean isBehind(long revision) {
        return membersRevision != revision || cyclesRevision != revision;
    }

    /** Publishes the members, the cycles, or both. */
    void look(ClusterView now, boolean members, boolean cycles) {
        membersRevision = members ? now.revision() : membersRevision;
        cyclesRevision = cycles ? now.revision() : cyclesRevision;
        show(true, members ? now : view, cycles ? now : view);
    }

    /** Marks the connection as broken. */
    void lose() {
        membersRevision = NEVER;
        show(false, view, view);
    }

    private void show(boolean connected, ClusterView members, ClusterView cycles) {
        view = new ClusterView(
                view.revision() + 1,
                connected,
                members.queues(),
                members.processors(),
                members.registration(),
                cycles.cycles(),
                cycles.low(),
                cycles.replays(),
                Archives.NONE,
                members.roster(),
                members.journals());
    }
}
