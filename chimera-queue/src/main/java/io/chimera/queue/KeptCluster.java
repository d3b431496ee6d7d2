package io.chimera.queue;

import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ControlMark;
import io.chimera.common.cluster.ControlMark.Standing;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.RegisteredNodes;
import io.chimera.common.cluster.Roster;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.cluster.control.ControlCopy;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.queue.peer.LocalNode;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster as seen by this queue node: a view becomes visible only after the node's disk holds a copy of the view's
 * control state. So the node sends no part of a cycle, and deletes no record, before a copy names the cycle, and {@code
 * chimera cluster recover} can rebuild ZooKeeper's data from the copies. If ZooKeeper's tree lacks a cycle of the copy,
 * the node continues as without ZooKeeper: the node journals and replicates, but neither sends nor truncates. The
 * announcer's thread runs the agent; any thread reads views.
 */
final class KeptCluster implements Cluster, Agent {
    private static final Logger LOG = LoggerFactory.getLogger(KeptCluster.class);

    /**
     * Time after which a node continues without a copy on a disk that refuses writes. The copies of other queue nodes
     * must then suffice.
     */
    private static final long UNKEPT_NS_MAX = TimeUnit.SECONDS.toNanos(5);

    private final LocalNode local;
    private final Cluster cluster;
    private final ControlCopy copy;
    private final Clock clock;
    private volatile ClusterView shown = ClusterView.NONE;
    private volatile String lost = "";
    private volatile QueueMember self;

    private long revision;
    private long seenRevision = -1;
    private ControlState seenKept;

    /** Visible view of the coordinator; null while the view from the copy is visible instead. */
    private ClusterView followed;

    private boolean hasFollowed;

    private boolean isDone;
    private boolean isPending;
    private long pendingSinceNs;
    private boolean isBehind;
    private long behindSinceNs;
    private boolean isGroupAwaited;
    private long groupSinceNs;

    /**
     * Creates an instance with the view of the copy, or with an empty view if there is no copy.
     *
     * @param local this start of the node
     * @param cluster the coordinator
     * @param copy copy in the folder of the journal
     */
    KeptCluster(LocalNode local, Cluster cluster, ControlCopy copy, Clock clock) {
        this.local = local;
        this.cluster = cluster;
        this.copy = copy;
        this.clock = clock;
        if (!copy.kept().mark().isEmpty()) {
            show(without(ClusterView.NONE));
        }
    }

    /**
     * Reason, with a remedy, why the node has no part in the work although ZooKeeper answers; empty without a problem.
     * Any thread.
     */
    Optional<String> problem() {
        return Optional.of(lost).filter(text -> !text.isEmpty());
    }

    /** Condition that an operator must know although the node works; empty without such a condition. Any thread. */
    Optional<String> alarm() {
        return Optional.of(copy.trouble()).filter(text -> !text.isEmpty());
    }

    /** Control state in the copy. Any thread. */
    ControlState kept() {
        return copy.kept();
    }

    @Override
    public ClusterView view() {
        return shown;
    }

    @Override
    public void onView(Runnable listener) {
        cluster.onView(listener);
    }

    @Override
    public void announce(QueueMember member) {
        self = member;
        cluster.announce(member.keeping(copy.kept().mark()));
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

    @Override
    public String roleName() {
        return "control-copy";
    }

    @Override
    // the copy is replaced as a whole, so only a new object needs a comparison of contents
    @SuppressWarnings("ReferenceEquality")
    public int doWork() {
        ClusterView raw = cluster.view();
        ControlState kept = copy.kept();
        if (raw.revision() == seenRevision && kept == seenKept && isDone) {
            return 0;
        }
        boolean isNew = raw.revision() != seenRevision;
        seenRevision = raw.revision();
        seenKept = kept;
        if (raw.revision() == 0) {
            isDone = true;
            return 0;
        }
        Standing standing = kept.mark().of(raw);
        if (standing != Standing.CURRENT) {
            isGroupAwaited = false;
            isDone = hold(raw, standing, isNew);
        } else if (isGroupMissing(raw, kept)) {
            showWithout(raw, isNew);
            isDone = false;
        } else {
            isDone = follow(raw, kept);
        }
        if (isNew && !raw.connected()) {
            announceAgain();
        }
        return isNew ? 1 : 0;
    }

    /**
     * Whether a recovered tree still shows the smaller group of the lost tree. A reader may see the cycles of a
     * recovered tree before its members, and a group that is too small lowers the number of copies that a sender waits
     * for. The wait for a member ends after {@link ControlMark#LAG_NS_MAX}, because an operator may have removed the
     * member.
     */
    private boolean isGroupMissing(ClusterView raw, ControlState kept) {
        if (!isBehind || raw.roster().ids().containsAll(kept.roster().ids())) {
            return false;
        }
        long nowNs = clock.nanoTime();
        if (!isGroupAwaited) {
            isGroupAwaited = true;
            groupSinceNs = nowNs;
        }
        return nowNs - groupSinceNs < ControlMark.LAG_NS_MAX;
    }

    /** Shows a view that continues the copy once the copy contains the view; false until then. */
    @SuppressWarnings("ReferenceEquality") // each view is a new object, and the same object is shown only once
    private boolean follow(ClusterView raw, ControlState kept) {
        if (!lost.isEmpty()) {
            LOG.info("ZooKeeper's tree is consistent with this node's copy again: {}.", kept.mark());
        }
        isBehind = false;
        isGroupAwaited = false;
        lost = "";
        ControlState next =
                accepted(raw, ControlState.of(raw).atLeast(kept.epoch()).resolvedBy(kept), kept);
        if (!next.isWhole()) {
            return true; // the view lacks a cycle that is still to be read
        }
        if (!next.equals(kept)) {
            copy.keep(next);
        }
        if (next.equals(copy.kept()) || isRefusedForLong()) {
            isPending = !next.equals(copy.kept());
            if (raw != followed) {
                followed = raw;
                hasFollowed = true;
                show(raw);
            }
        }
        return !isPending && next.equals(copy.kept());
    }

    /**
     * Leaves this node out of a copy until the coordinator has accepted a start with this folder. An earlier folder may
     * be registered, and a copy that names the node says that the coordinator has accepted its folder.
     */
    private ControlState accepted(ClusterView raw, ControlState next, ControlState kept) {
        boolean isAccepted = kept.roster().ids().contains(local.id())
                || raw.queue(local.session()).isPresent();
        return isAccepted ? next : next.without(local.id());
    }

    private boolean isRefusedForLong() {
        long nowNs = clock.nanoTime();
        if (!isPending) {
            isPending = true;
            pendingSinceNs = nowNs;
        }
        return !copy.trouble().isEmpty() && nowNs - pendingSinceNs >= UNKEPT_NS_MAX;
    }

    /** Continues with the view of the copy; false while the tree may only lag. */
    private boolean hold(ClusterView raw, Standing standing, boolean isNew) {
        long nowNs = clock.nanoTime();
        if (!isBehind) {
            isBehind = true;
            behindSinceNs = nowNs;
        }
        showWithout(raw, isNew);
        if (lost.isEmpty() && raw.connected() && nowNs - behindSinceNs >= ControlMark.LAG_NS_MAX) {
            lost = text(raw, standing);
            LOG.warn("{}", lost);
            announceAgain();
        }
        return !lost.isEmpty() || !raw.connected();
    }

    private void showWithout(ClusterView raw, boolean isNew) {
        if (isNew) {
            followed = null;
            show(without(raw));
        }
    }

    private String text(ClusterView raw, Standing standing) {
        String ends = "ZooKeeper's tree ends with cycle " + raw.newest() + ", but this node's copy names cycle "
                + copy.kept().newest();
        if (standing == Standing.FOREIGN && raw.newest() > 0) {
            return ends
                    + " of another history: this node gets no work. Its data folder belongs to another cluster, or the"
                    + " tree was recreated without it. See \"ZooKeeper's data is lost\" in"
                    + " docs/operations/troubleshoot.md.";
        }
        return ends
                + ": ZooKeeper's data was lost or is older than the cluster. This node accepts data and sends nothing."
                + " Rebuild the tree from the queue nodes' copies: chimera cluster recover.";
    }

    /**
     * Repeats the announcement with the newest mark, because an old announcement contains an old mark and a new tree
     * must get the newest mark.
     */
    private void announceAgain() {
        QueueMember member = self;
        if (member != null) {
            cluster.announce(member.keeping(copy.kept().mark()));
        }
    }

    /**
     * View with the members of the tree and the cycles of the copy, as without ZooKeeper. Before the first followed
     * tree the number of registered nodes is unknown: the copy may predate the joining of members, and a
     * number that is too small lowers the number of journals that a sender waits for.
     */
    private ClusterView without(ClusterView raw) {
        ControlState kept = copy.kept();
        Roster roster = hasFollowed ? kept.roster().and(raw.roster()) : kept.roster();
        return new ClusterView(
                0,
                false,
                raw.queues(),
                raw.processors(),
                hasFollowed ? RegisteredNodes.of(Math.max(roster.size(), raw.registered())) : RegisteredNodes.UNKNOWN,
                kept.cycles(),
                kept.low(),
                kept.replays(),
                raw.archives(),
                roster,
                raw.journals());
    }

    private void show(ClusterView view) {
        shown = view.at(++revision);
    }
}
