package io.chimera.queue;

import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.JournalState;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.journal.JournalIdentity;
import io.chimera.queue.replication.Acknowledger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;

/**
 * Proves to the coordinator that this node's journal has no only copy of a record, so that the node may be removed even
 * when it is dead.
 *
 * <p>A record can have its only copy here if the node acknowledged it while the node was alone in its group, or if the
 * group has lost the journal with the second copy. So the proof begins anew when the group gains its second node and
 * when the group loses a journal: all records of that moment must be in the journals of other live nodes. Later records
 * get their copies before their acknowledgement.
 *
 * <p>One agent of the announcer's thread.
 */
final class CopyProof implements Agent {
    private static final long LOOK_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Time limit for the note of a removal: five retries after 1 + 2 + 4 + 8 + 16 s. */
    private static final long NOTE_NS_MAX = TimeUnit.SECONDS.toNanos(32);

    private final QueueIdentity self;
    private final Clock clock;
    private final Cluster cluster;
    private final Journal journal;
    private final JournalIdentity identity;
    private final Acknowledger acknowledger;
    private final ReplicationPolicy copies;

    /** History of the copy of the control state at the start, if it names this node; see {@link JournalState}. */
    private final Optional<String> namedIn;

    private Stage stage = Stage.ALONE;

    /** Losses of the group at the begin of the proof. */
    private long losses;

    /** First view with these losses, and with another node in the group. */
    private long revision;

    /** Records that need a copy. */
    private Positions last = Positions.NONE;

    private long nextAtNs;

    /** Note of the removal; changed by the announcer's thread and the thread of the drain, under the lock. */
    private volatile RemovalNote removal = RemovalNote.NONE;

    /** Time of the request of this note; thread of the drain. */
    private long requestedNs;

    /**
     * Stage of the proof.
     *
     * <pre>
     * from     event                                                          to
     * ALONE    another node is registered in the group                        BEGUN
     * BEGUN    the acknowledger has used a view as new as the proof's begin   COPYING
     * COPYING  other live nodes hold the records                              COPIED
     * any      the group has lost a journal                                   BEGUN
     * any      no other node is registered, no view of the tree is there,
     *          or one copy may be enough                                      ALONE
     * </pre>
     */
    private enum Stage {
        ALONE,
        BEGUN,
        COPYING,
        COPIED
    }

    /**
     * Creates a proof that has not begun.
     *
     * @param acknowledger acknowledges the points of this node
     * @param copies policy of the acknowledger; nothing is proven while one copy may be enough
     */
    CopyProof(
            QueueIdentity self,
            QueueEnvironment surroundings,
            Journal journal,
            Acknowledger acknowledger,
            ReplicationPolicy copies) {
        this.self = self;
        clock = surroundings.clock();
        cluster = surroundings.cluster();
        this.journal = journal;
        identity = journal.identity();
        this.acknowledger = acknowledger;
        this.copies = copies;
        ControlState kept = journal.control().kept();
        namedIn =
                kept.roster().ids().contains(self.id()) ? Optional.of(kept.low().history()) : Optional.empty();
        nextAtNs = clock.nanoTime();
    }

    /** Returns the facts for the registration of this node. The announcer's thread. */
    JournalState state() {
        JournalState unproven = new JournalState(
                identity.id(), identity.replaced(), identity.registeredIn(), namedIn, OptionalLong.empty());
        return stage == Stage.COPIED && !identity.isUnproven() ? unproven.copiedAfter(losses) : unproven;
    }

    @Override
    public String roleName() {
        return "copy-proof";
    }

    @Override
    public int doWork() {
        long nowNs = clock.nanoTime();
        if (nowNs - nextAtNs < 0) {
            return 0;
        }
        nextAtNs = nowNs + LOOK_EVERY_NS;
        ClusterView view = cluster.view();
        note(view);
        Stage before = stage;
        follow(view);
        return before == stage ? 0 : 1;
    }

    /** A removed or replaced node must not acknowledge alone, also not in a later start. */
    private void note(ClusterView view) {
        boolean isOutside = view.connected() && view.queue(self.session()).isEmpty();
        if (removal != RemovalNote.NONE || isOutside) {
            identity.endUnproven();
            if (!identity.isUnproven()) {
                synchronized (this) {
                    removal = removal.written();
                }
            }
        } else if (isRegistered(view)) {
            identity.noteRegistered(view.low().history(), copies.least() < 2);
        }
    }

    /** See {@link DrainableNode#noteRemoval}. Thread of the drain. */
    synchronized RemovalNote noteRemoval() {
        long nowNs = clock.nanoTime();
        if (removal == RemovalNote.NONE) {
            requestedNs = nowNs;
            removal = removal.requested();
        } else if (nowNs - requestedNs >= NOTE_NS_MAX) {
            removal = removal.overdue();
        }
        return removal;
    }

    /** Returns whether this start has written its registration, which a node that joins while it leaves does not. */
    private boolean isRegistered(ClusterView view) {
        return view.connected()
                && view.roster().groups().containsKey(self.id())
                && view.queue(self.session())
                        .filter(member -> !member.leaving())
                        .isPresent();
    }

    private void follow(ClusterView view) {
        // Without a connection the losses are unknown. The next connection may show a recovered or an older tree.
        if (!view.connected() || view.registered() < 2 || copies.least() < 2) {
            stage = Stage.ALONE;
            return;
        }
        long present = view.journals().losses().of(self.group());
        if (stage == Stage.ALONE || present != losses) {
            losses = present;
            revision = view.revision();
            stage = Stage.BEGUN;
        }
        if (stage == Stage.BEGUN && acknowledger.seenRevision() >= revision) {
            // other journals may be ahead of this one on the disk: their copies count for an acknowledgement
            last = journal.durables().max(Positions.of(self.stream(), journal.position(self.stream())));
            stage = Stage.COPYING;
        }
        if (stage == Stage.COPYING && isCopied(view)) {
            stage = Stage.COPIED;
        }
    }

    private boolean isCopied(ClusterView view) {
        List<StreamRange> open = last.since(journal.bases().max(view.low().cut()));
        List<QueueMember> holders = view.queues().stream()
                .filter(member -> member.session() != self.session())
                .filter(member -> !member.leaving() && view.roster().groups().containsKey(member.id()))
                .toList();
        return open.stream().allMatch(range -> holders.stream().anyMatch(member -> member.holds(range)));
    }
}
