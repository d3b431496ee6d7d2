package io.chimera.common.cluster;

/** What one node sees of a {@link MemoryCluster}: the newest that it was shown, with a revision of its own. */
final class MemorySight {
    private static final long NEVER = -1;

    private volatile ClusterView view = ClusterView.NONE;
    private long membersRevision = NEVER;
    private long cyclesRevision = NEVER;

    MemorySight() {}

    /** The newest that was shown. Any thread. */
    ClusterView view() {
        return view;
    }

    /** Whether everything was read since the connection was made. */
    boolean isWhole() {
        return membersRevision != NEVER;
    }

    /** Whether something has changed that was not shown. */
    boolean isBehind(long revision) {
        return membersRevision != revision || cyclesRevision != revision;
    }

    /** Shows the members or the cycles of what stands, or both. */
    void look(ClusterView now, boolean members, boolean cycles) {
        membersRevision = members ? now.revision() : membersRevision;
        cyclesRevision = cycles ? now.revision() : cyclesRevision;
        show(true, members ? now : view, cycles ? now : view);
    }

    /** The connection broke. */
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
                members.registered(),
                cycles.cycles(),
                cycles.low(),
                cycles.replays(),
                Archives.NONE,
                members.group());
    }
}
