package io.chimera.queue;

import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.ArchiveMember;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ControlCopy;
import io.chimera.common.cluster.ControlMark.Standing;
import io.chimera.common.cluster.ControlState;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ShardCommit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster as this queue node acts on it: a view is shown only when the node's disk has a copy of its control state. So no part of a
 * cycle is sent, and no record is let go of, before a copy names the cycle, and {@code chimera cluster recover} can rebuild ZooKeeper's
 * data from the copies. Where the tree lacks what the copy names, the node goes on as without ZooKeeper: it journals and copies, and
 * neither sends nor truncates. The announcer's thread drives it; views, any thread.
 */
final class KeptCluster implements Cluster, Agent {
    private static final Logger LOG = LoggerFactory.getLogger(KeptCluster.class);

    /** Time after which a node goes on without a copy on a disk that refuses it: the copies of other queue nodes have to do. */
    private static final long UNKEPT_NS_MAX = TimeUnit.SECONDS.toNanos(5);

    /** Time for a ZooKeeper server that lags to catch up before a tree is called lost. */
    private static final long LOST_NS_MIN = TimeUnit.SECONDS.toNanos(2);

    private final Cluster cluster;
    private final ControlCopy copy;
    private final Clock clock;
    private volatile ClusterView shown = ClusterView.NONE;
    private volatile String lost = "";
    private volatile QueueMember self;

    private long revision;
    private long seenRevision = -1;
    private ControlState seenKept;

    /** The view of the coordinator that is shown; null while the copy is shown in its place. */
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
     * Shows nothing yet.
     *
     * @param cluster the coordinator
     * @param copy lies with the journal
     */
    KeptCluster(Cluster cluster, ControlCopy copy, Clock clock) {
        this.cluster = cluster;
        this.copy = copy;
        this.clock = clock;
        if (!copy.kept().mark().isEmpty()) {
            show(without(ClusterView.NONE));
        }
    }

    /** Why the node has no part in the work although ZooKeeper answers, with what to do; empty when it has. Any thread. */
    Optional<String> problem() {
        return Optional.of(lost).filter(text -> !text.isEmpty());
    }

    /** What the operator must know although the node works; empty when all is well. Any thread. */
    Optional<String> alarm() {
        return Optional.of(copy.trouble()).filter(text -> !text.isEmpty());
    }

    /** What the copy says. Any thread. */
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
    @SuppressWarnings("ReferenceEquality") // the copy is replaced as a whole; its content is compared only when it was
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
     * Whether a tree that continues the copy again still shows the smaller group of the lost tree. The members and the cycles of a
     * recovered tree can be read one after the other, and a group that is too small lowers the number of copies that a sender waits for.
     * A member that an operator removed meanwhile is waited for no longer than a server that lags.
     */
    private boolean isGroupMissing(ClusterView raw, ControlState kept) {
        if (!isBehind || raw.group().containsAll(kept.group())) {
            return false;
        }
        long nowNs = clock.nanoTime();
        if (!isGroupAwaited) {
            isGroupAwaited = true;
            groupSinceNs = nowNs;
        }
        return nowNs - groupSinceNs < LOST_NS_MIN;
    }

    /** Shows a view that continues the copy, once the copy has it; false while it has not. */
    @SuppressWarnings("ReferenceEquality") // each view is another object; the same one is shown once
    private boolean follow(ClusterView raw, ControlState kept) {
        if (!lost.isEmpty()) {
            LOG.info("ZooKeeper's tree continues this node's copy of it again: {}.", kept.mark());
        }
        isBehind = false;
        isGroupAwaited = false;
        lost = "";
        ControlState next = ControlState.of(raw).atLeast(kept.epoch());
        if (!next.isWhole()) {
            return true; // one of its cycles is still to be read
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

    private boolean isRefusedForLong() {
        long nowNs = clock.nanoTime();
        if (!isPending) {
            isPending = true;
            pendingSinceNs = nowNs;
        }
        return !copy.trouble().isEmpty() && nowNs - pendingSinceNs >= UNKEPT_NS_MAX;
    }

    /** Goes on by the copy; false while it is not clear whether the tree only lags. */
    private boolean hold(ClusterView raw, Standing standing, boolean isNew) {
        long nowNs = clock.nanoTime();
        if (!isBehind) {
            isBehind = true;
            behindSinceNs = nowNs;
        }
        showWithout(raw, isNew);
        if (lost.isEmpty() && raw.connected() && nowNs - behindSinceNs >= LOST_NS_MIN) {
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
        String ends = "ZooKeeper's tree ends with cycle " + raw.newest() + ", this node's copy of it names cycle "
                + copy.kept().newest();
        if (standing == Standing.FOREIGN && raw.newest() > 0) {
            return ends
                    + " of another history: this node gets no work. Its data folder belongs to another cluster, or the"
                    + " tree began anew without it. See \"ZooKeeper's data is lost\" in docs/operations.md.";
        }
        return ends
                + ": ZooKeeper's data was lost or is older than the cluster. This node takes data in and sends nothing."
                + " Rebuild the tree from the queue nodes' copies: chimera cluster recover.";
    }

    /** An announcement that was written long ago names an old mark; the next tree must hear the newest. */
    private void announceAgain() {
        QueueMember member = self;
        if (member != null) {
            cluster.announce(member.keeping(copy.kept().mark()));
        }
    }

    /** The members that a tree shows, with the cycles that the copy names, as without ZooKeeper. */
    private ClusterView without(ClusterView raw) {
        ControlState kept = copy.kept();
        return new ClusterView(
                0,
                false,
                raw.queues(),
                raw.processors(),
                groupSize(raw, kept),
                kept.cycles(),
                kept.low(),
                kept.replays(),
                raw.archives(),
                kept.group());
    }

    /**
     * Members of the group, by the tree that this run followed last; 0, not known, before the first one. The copy may be of a time before
     * others joined, and a size that is too small lowers the number of journals that a sender waits for.
     */
    private int groupSize(ClusterView raw, ControlState kept) {
        return hasFollowed ? Math.max(kept.group().size(), raw.registered()) : 0;
    }

    private void show(ClusterView view) {
        shown = view.at(++revision);
    }
}
