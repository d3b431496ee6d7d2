package io.chimera.queue.replication;

import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.RegisteredNodes;
import io.chimera.common.cluster.Roster;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.Completion;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.journal.append.Acknowledgements;
import io.chimera.queue.peer.LocalNode;
import io.chimera.queue.peer.PeerNetwork;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acknowledges senders once K journals durably hold their points, and fails senders after a timeout. K is the number of
 * configured copies, or the number of queue nodes in the group if smaller; nodes without this lane count. K decreases
 * further only while queue nodes are dead and the configuration allows fewer copies.
 *
 * <p>Runs on the journaler's thread. Any thread may report the progress of peers, see {@link Followers}.
 */
public final class Acknowledger implements Agent, Acknowledgements {
    private static final Logger LOG = LoggerFactory.getLogger(Acknowledger.class);

    private final LocalNode self;
    private final Cluster cluster;
    private final Clock clock;
    private final Journal journal;
    private final Followers followers;
    private final ReplicationPolicy copies;
    private final long timeoutNs;
    private final Counters<QueueCounter> counters;

    /** Ring buffer of waiting senders, oldest first: sequence number, deadline and completion. */
    private final long[] seqs;

    private final long[] deadlinesNs;
    private final Completion[] completions;
    private long head;
    private long tail;
    private int missing;

    private Membership membership = Membership.OUTSIDE;

    /** Whether this start has written its registration, which a node that joins while it leaves does not. */
    private boolean isRegistered;

    private volatile long seenRevision;

    /** Newest view that the membership follows. */
    private ClusterView followed = ClusterView.NONE;

    /**
     * Standing of this start of the node in the cluster.
     *
     * <ul>
     *   <li>OUTSIDE → MEMBER: a view shows the own session.
     *   <li>MEMBER → OUTSIDE: a connected view does not show the own session, or the own id is not registered.
     * </ul>
     */
    private enum Membership {
        /**
         * Not accepted yet, or not any more: the session has expired, an operator has removed the node, or another
         * process holds the id. The cluster may end its cycles without the journal of this process.
         */
        OUTSIDE,
        /** Accepted by the coordinator. A lost connection changes nothing. */
        MEMBER
    }

    /**
     * Creates an acknowledger without waiting senders.
     *
     * @param followers progress of the peers in the own stream
     * @param copies required number of journals per record
     * @param limits limits of waiting senders
     */
    public Acknowledger(
            PeerNetwork network,
            Journal journal,
            Followers followers,
            ReplicationPolicy copies,
            WaitLimits limits,
            Counters<QueueCounter> counters) {
        self = network.self();
        cluster = network.cluster();
        clock = network.clock();
        this.journal = journal;
        this.followers = followers;
        this.copies = copies;
        timeoutNs = TimeUnit.MILLISECONDS.toNanos(limits.timeoutMs());
        this.counters = counters;
        seqs = new long[limits.senders()];
        deadlinesNs = new long[limits.senders()];
        completions = new Completion[limits.senders()];
    }

    @Override
    public String roleName() {
        return "acknowledger";
    }

    @Override
    public boolean hasRoom() {
        return tail - head < seqs.length;
    }

    @Override
    public void hold(long seq, Completion completion) {
        int index = indexOf(tail);
        seqs[index] = seq;
        deadlinesNs[index] = clock.nanoTime() + timeoutNs;
        completions[index] = completion;
        tail++;
    }

    @Override
    public int doWork() {
        ClusterView view = cluster.view();
        follow(view);
        if (head == tail) {
            see(view);
            return 0;
        }
        int needed = needed(view);
        warn(view);
        int completed = isOutside(view) ? 0 : complete(followers.reached(needed, journal.durable(self.stream())));
        see(view);
        return completed + failOverdue(view, needed);
    }

    /**
     * Number of journals that must have a record. A start whose policy permits one copy may follow a start with a proof
     * of copies in its registration. While this proof may be there, a single copy does not suffice: the cluster would
     * remove this node, if dead, together with that copy.
     */
    private int needed(ClusterView view) {
        int needed = copies.needed(view);
        return isRegistered || needed > 1 || journal.identity().isUnproven() ? needed : 2;
    }

    private void see(ClusterView view) {
        if (seenRevision != view.revision()) {
            seenRevision = view.revision();
        }
    }

    /**
     * Returns the revision of a view, so that every later acknowledgement uses this view or a newer one, and counts no
     * copy of a peer that this view does not register. Any thread.
     */
    public long seenRevision() {
        return Math.min(seenRevision, followers.seenRevision());
    }

    /** Follows the membership through each new view, also while no sender waits: a later view may be unconnected. */
    @SuppressWarnings("ReferenceEquality") // a comparison of the contents would cost more than to follow again
    private void follow(ClusterView view) {
        if (view == followed) {
            return;
        }
        followed = view;
        // a loop by index: this runs on the journaler's thread, where nothing may be allocated
        List<QueueMember> members = view.queues();
        for (int i = 0; i < members.size(); i++) {
            QueueMember member = members.get(i);
            if (member.session() == self.session()) {
                membership = Membership.MEMBER;
                isRegistered |= !member.leaving();
                return;
            }
        }
        if (view.connected() || isUnregisteredIn(view)) {
            membership = Membership.OUTSIDE;
        }
    }

    /** The one connected view after a removal may be skipped, if the connection breaks again at once. */
    private boolean isUnregisteredIn(ClusterView view) {
        Roster roster = view.roster();
        return roster.size() > 0
                && !roster.groups().containsKey(self.id())
                && !roster.unknown().contains(self.id());
    }

    /**
     * Returns whether the group is known and this process does not belong to it. A process with a copied data folder, a
     * process with a mistyped journal group and a removed process are such processes: no cycle names their points, so
     * their points must not be acknowledged.
     */
    private boolean isOutside(ClusterView view) {
        return view.registration().state() != RegisteredNodes.State.UNKNOWN && membership == Membership.OUTSIDE;
    }

    private void warn(ClusterView view) {
        int nowMissing = copies.missing(view);
        if (nowMissing > missing) {
            LOG.warn(copies.alarm(view).orElseThrow());
        } else if (nowMissing == 0 && missing > 0) {
            LOG.info("Replication restored: points are acknowledged after {} copies again.", copies.full(view));
        }
        missing = nowMissing;
    }

    private int complete(long seq) {
        int completed = 0;
        while (head != tail && seqs[indexOf(head)] <= seq) {
            take().journaled();
            completed++;
        }
        counters.add(QueueCounter.ACKNOWLEDGE_COMPLETED, completed);
        counters.add(QueueCounter.ACKNOWLEDGE_BELOW_COPIES, missing > 0 ? completed : 0);
        return completed;
    }

    private int failOverdue(ClusterView view, int needed) {
        int failed = 0;
        String reason = null;
        long nowNs = clock.nanoTime();
        while (head != tail && nowNs - deadlinesNs[indexOf(head)] >= 0) {
            if (reason == null) {
                reason = whatIsMissing(view, needed, seqs[indexOf(head)]);
            }
            take().failed(reason);
            failed++;
        }
        counters.add(QueueCounter.ACKNOWLEDGE_FAILED, failed);
        return failed;
    }

    private Completion take() {
        int index = indexOf(head);
        Completion completion = completions[index];
        completions[index] = null;
        head++;
        return completion;
    }

    private String whatIsMissing(ClusterView view, int needed, long seq) {
        if (isOutside(view)) {
            return "this process is not a member of the cluster; /health/ready names the reason"
                    + (view.registration().state() == RegisteredNodes.State.NOT_REGISTERED
                            ? ". No queue node is registered in the journal group " + self.group()
                                    + "; check queue.group"
                            : "");
        }
        List<String> causes = new ArrayList<>();
        boolean isHeldHere = journal.durable(self.stream()) >= seq;
        int held = (isHeldHere ? 1 : 0) + followers.countAt(seq);
        if (!isHeldHere) {
            causes.add("the journal of this node is full or its disk does not answer");
        }
        int live = 0;
        for (QueueMember member : view.queues()) {
            live++;
            if (member.session() != self.session() && followers.reachedBy(member.id()) < seq) {
                causes.add("queue node " + member.id() + " does not answer");
            }
        }
        causes.addAll(whoIsMissing(view, live, needed));
        return "only " + held + " of " + needed + " journals hold the points: " + String.join(", ", causes);
    }

    private List<String> whoIsMissing(ClusterView view, int live, int needed) {
        return switch (view.registration().state()) {
            case UNKNOWN -> List.of("the coordinator was not reached yet");
            case NOT_REGISTERED ->
                List.of("no queue node is registered in the journal group " + self.group() + "; check queue.group");
            case REGISTERED ->
                live >= needed
                        ? List.of()
                        : List.of("only " + live + " of " + view.registered() + " queue nodes run"
                                + (view.members() < view.registered() ? " this lane" : ""));
        };
    }

    private int indexOf(long position) {
        return (int) position & (seqs.length - 1);
    }

    /** Completes or fails all waiting senders, so that every sender gets an answer. */
    @Override
    public void onClose() {
        doWork();
        while (head != tail) {
            take().failed("the queue node stops before enough journals hold the points: send them again");
            counters.increment(QueueCounter.ACKNOWLEDGE_FAILED);
        }
    }
}
