package io.chimera.queue;

import io.chimera.common.agent.Clock;
import io.chimera.common.channel.Listeners;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.cluster.membership.MemberDrain;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;

/**
 * Drains a queue node before the node leaves the cluster:
 *
 * <ol>
 *   <li>The node gets no parts of later cycles and finishes its present parts, while its inputs continue.
 *   <li>The inputs close, and the accepted points are answered and journaled.
 *   <li>The drain waits until all records of the journal are in verified cycles or in the journals of other queue nodes
 *       of the group.
 * </ol>
 *
 * <p>If all remaining nodes of a journal group leave while other groups go on, no journal will have copies of their
 * records. These nodes close their inputs first, still get parts for their last records, and wait until all records are
 * in verified cycles.
 *
 * <p>During the drain this node continues to copy the records of its peers: the peers count this journal for the
 * acknowledgement of their points, and otherwise their senders would wait. The copying ends as soon as other journals
 * have the records that this journal had when the inputs closed. From then on the records of this journal are complete,
 * and the drain waits for copies of all of them, so no acknowledged point loses a copy with this node. A finished drain
 * stays finished, so the lanes of a node may finish one after the other.
 *
 * <p>A start that has not joined the cluster has nothing to drain: a node that is refused must not join in order to
 * leave, and its journal returns with the node. The drain closes the inputs and does not wait. If a view shows the node
 * later, the drain continues as for any other node.
 *
 * <p>One agent of the announcer's thread; any thread may call {@link #begin} and read the state.
 */
final class QueueDrain implements Agent {
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final long session;
    private final long stream;
    private final JournalGroup group;
    private final Clock clock;
    private final Cluster cluster;

    /** The cluster with all journal groups. */
    private final Cluster allGroups;

    private final Listeners listeners;
    private final DrainedRecords records;
    private final ReplicationPolicy policy;
    private final PositionAnnouncer announcer;

    /** Waits for the cycles in which this node has a part. */
    private final MemberDrain parts;

    private Stage stage = Stage.INPUTS_OPEN;

    /** Records that must be in verified cycles or in other journals; set at the end of {@link Stage#INPUTS_CLOSED}. */
    private Positions required = Positions.NONE;

    private long nextPollNs;

    /** Whether a view has shown this start of the node in the cluster. */
    private boolean hasJoined;

    /** Last record of the own stream at the previous poll. */
    private long journaledBefore = -1;

    private volatile boolean hasBegun;
    private volatile String awaited = "";
    private volatile boolean isCopied;

    /**
     * Stage of a drain.
     *
     * <pre>
     * from             event                                              to
     * INPUTS_OPEN      no parts are left, the group retires, or the node
     *                  has not joined                                     INPUTS_CLOSED
     * INPUTS_CLOSED    no parts are left, and all points are answered     COPYING_PEERS
     * COPYING_PEERS    the required records are stored or copied          COPYING_STOPPED
     * COPYING_STOPPED  all records are durable, and stored or copied      DONE
     *
     * A node without peers may stop in COPYING_PEERS and in COPYING_STOPPED.
     * </pre>
     */
    private enum Stage {
        INPUTS_OPEN,
        INPUTS_CLOSED,
        COPYING_PEERS,
        COPYING_STOPPED,
        DONE
    }

    /** Copies of the required records outside verified cycles in the journals of other nodes. */
    private enum CopyState {
        ENOUGH(""),
        MISSING("other queue nodes to copy its journal"),
        /** No other node of the group stays, so the records must be stored. */
        NONE_EXPECTED("its points to be stored, because no other node of its journal group stays"),
        /** No other node is live: the node may stop, and its journal must return. */
        NONE_POSSIBLE("");

        private final String awaited;

        CopyState(String awaited) {
            this.awaited = awaited;
        }

        Optional<String> awaited() {
            return Optional.of(awaited).filter(text -> !text.isEmpty());
        }
    }

    /**
     * Creates a drain that has not begun.
     *
     * @param self the node
     * @param environment environment of the node; its view of the cluster is the view of the journal group
     * @param allGroups the cluster with all journal groups
     * @param records records of the node
     * @param policy number of copies of a record
     * @param announcer announces that the node leaves
     */
    QueueDrain(
            QueueIdentity self,
            QueueEnvironment environment,
            Cluster allGroups,
            DrainedRecords records,
            ReplicationPolicy policy,
            PositionAnnouncer announcer) {
        session = self.session();
        stream = self.stream();
        group = self.group();
        clock = environment.clock();
        cluster = environment.cluster();
        this.allGroups = allGroups;
        listeners = environment.listeners();
        this.records = records;
        this.policy = policy;
        this.announcer = announcer;
        parts = new MemberDrain(clock, cluster, session);
        nextPollNs = clock.nanoTime();
    }

    /** Starts the drain. */
    void begin() {
        if (!hasBegun) {
            awaited = "the coordinator to register the drain";
            hasBegun = true;
            announcer.leave();
        }
    }

    /**
     * Reason why the drain has not finished, phrased to complete "waits for …"; empty before the drain and once the
     * node may stop.
     */
    Optional<String> awaits() {
        return Optional.of(awaited).filter(text -> !text.isEmpty());
    }

    /**
     * Whether other queue nodes hold all records outside verified cycles, so that the journal may be deleted with the
     * node. A node without live peers may stop, but its journal must come back.
     */
    boolean isCopied() {
        return isCopied;
    }

    /** Whether the ring, or the journal outside the known verified cycles, has records. Any thread. */
    boolean hasOpenRecords() {
        ClusterView view = cluster.view();
        Positions verified = records.journal().bases().max(view.low().cut());
        return !records.areDurable(view) || !records.last().since(verified).isEmpty();
    }

    /**
     * Whether queue nodes that stay hold all records outside verified cycles at this moment. Two nodes that leave for
     * good must not count on each other's journals. Any thread.
     */
    boolean isRemovable() {
        if (!isCopied) {
            return false; // the volatile read also makes the required records visible to this thread
        }
        ClusterView view = cluster.view();
        return copiesOn(staying(others(view)), view) == CopyState.ENOUGH;
    }

    @Override
    public String roleName() {
        return "drain";
    }

    @Override
    public int doWork() {
        long nowNs = clock.nanoTime();
        if (stage == Stage.DONE || nowNs - nextPollNs < 0) {
            return 0;
        }
        nextPollNs = nowNs + POLL_NS;
        hasJoined = hasJoined || cluster.view().queue(session).isPresent();
        if (!hasBegun) {
            return 0;
        }
        awaited = advance().orElse("");
        return 1;
    }

    /** Does the next step if possible; returns the reason of the wait, empty once the node may stop. */
    private Optional<String> advance() {
        if (!hasJoined) {
            if (stage == Stage.INPUTS_OPEN) {
                closeInputs();
            }
            return Optional.empty();
        }
        if (stage == Stage.INPUTS_OPEN && isGroupRetiring()) {
            return closeInputs();
        }
        Optional<String> openParts = parts.awaits();
        if (openParts.isPresent()) {
            return openParts;
        }
        return switch (stage) {
            case INPUTS_OPEN -> closeInputs();
            case INPUTS_CLOSED -> awaitAnswers();
            case COPYING_PEERS -> awaitFirstCopies();
            case COPYING_STOPPED -> awaitLastCopies();
            case DONE -> Optional.empty();
        };
    }

    private Optional<String> closeInputs() {
        stage = Stage.INPUTS_CLOSED;
        listeners.stop();
        return Optional.of("its inputs to close");
    }

    /**
     * Whether all live nodes of this journal group leave while other groups go on, so that no other journal can get the
     * records of this node. The records then stay its own work until their cycles are verified, so the inputs close
     * first. The group of a lane above 0 may retire alone, when other nodes have fewer lanes.
     */
    private boolean isGroupRetiring() {
        List<QueueMember> staying = allGroups.view().queues().stream()
                .filter(member -> isStaying(member) && member.session() != session)
                .toList();
        return !staying.isEmpty()
                && staying.stream().noneMatch(member -> member.group().equals(group));
    }

    /** Waits until all requests are answered, and no new record was journaled since the last poll. */
    private Optional<String> awaitAnswers() {
        long before = journaledBefore;
        long journaled = records.journal().position(stream);
        journaledBefore = journaled;
        if (listeners.unanswered() > 0
                || journaled != before
                || records.journal().durable(stream) != journaled) {
            return Optional.of("requests to be answered");
        }
        required = records.last();
        stage = Stage.COPYING_PEERS;
        return awaitFirstCopies();
    }

    /** Waits for copies of the records up to the last answer, then stops the copying of records of peers. */
    private Optional<String> awaitFirstCopies() {
        CopyState copies = copiesOfRequired();
        if (copies != CopyState.ENOUGH) {
            return awaited(copies);
        }
        records.stopFollowing().run();
        stage = Stage.COPYING_STOPPED;
        return awaitLastCopies();
    }

    /** Waits for copies of all records, including the last copied records of peers. */
    private Optional<String> awaitLastCopies() {
        if (!records.areDurable(cluster.view())) {
            return Optional.of("its last records to be journaled");
        }
        required = records.last();
        CopyState copies = copiesOfRequired();
        if (copies == CopyState.ENOUGH) {
            isCopied = true;
            stage = Stage.DONE;
        }
        return awaited(copies);
    }

    /** Returns the reason of the wait for copies, with the nodes that may hold up the cycles, and the remedy. */
    private Optional<String> awaited(CopyState copies) {
        if (copies == CopyState.MISSING) {
            return copies.awaited().map(text -> text + ": " + String.join(", ", nodesBehind()));
        }
        if (copies != CopyState.NONE_EXPECTED) {
            return copies.awaited();
        }
        List<String> dead = cluster.view().deadNodes();
        String journals =
                dead.isEmpty() ? "" : "; the cycles may need the journals of dead nodes: " + String.join(", ", dead);
        String lacking = String.join(", ", nodesWithoutLane());
        String lanes = lacking.isEmpty()
                ? ""
                : "; copies are missing on " + lacking + ", without lane " + group.laneNumber() + ": restart " + lacking
                        + " with the same queue.lanes as this node, or restart this node and remove " + lacking
                        + " first";
        return copies.awaited().map(text -> text + journals + lanes);
    }

    /** Returns the nodes whose copies the drain waits for, with the number of records that they lack. */
    private List<String> nodesBehind() {
        ClusterView view = cluster.view();
        List<StreamRange> unverified = unverified(view);
        List<String> behind = new ArrayList<>();
        for (QueueMember member : holders(view)) {
            long lacking = unverified.stream()
                    .mapToLong(range -> lacking(member, range))
                    .sum();
            if (lacking > 0) {
                behind.add(member.id() + " lacks " + lacking + " records");
            }
        }
        return behind;
    }

    /** Returns the number of records of a range that a journal lacks; all of them behind a gap. */
    private static long lacking(QueueMember member, StreamRange range) {
        long from = member.holdsAbove(range.stream(), range.after())
                ? Math.max(range.after(), member.position(range.stream()))
                : range.after();
        return Math.max(0, range.upTo() - from);
    }

    /**
     * Returns the queue nodes whose missing lane keeps the records out of all cycles: a cycle names a record of a lane
     * only after as many nodes have copies as the configured group requires.
     */
    private List<String> nodesWithoutLane() {
        ClusterView view = cluster.view();
        return policy.needed(view) > view.queues().size()
                ? allGroups.view().roster().lacking(group)
                : List.of();
    }

    /** Returns whether other journals hold the required records. */
    private CopyState copiesOfRequired() {
        ClusterView view = cluster.view();
        return copiesOn(holders(view), view);
    }

    /**
     * Returns the nodes whose journals count for the drain. If no other node stays, nodes that leave also count: a
     * drain may then end, but not the removal of the node.
     */
    private List<QueueMember> holders(ClusterView view) {
        List<QueueMember> others = others(view);
        List<QueueMember> staying = staying(others);
        return staying.isEmpty() ? others : staying;
    }

    /** Returns the required records outside verified cycles. */
    private List<StreamRange> unverified(ClusterView view) {
        return required.since(records.journal().bases().max(view.low().cut()));
    }

    /** Returns whether the journals of some queue nodes hold the required records outside verified cycles. */
    private CopyState copiesOn(List<QueueMember> holders, ClusterView view) {
        List<StreamRange> unverified = unverified(view);
        if (unverified.isEmpty()) {
            return CopyState.ENOUGH;
        }
        if (isGroupRetiring()) {
            return CopyState.NONE_EXPECTED;
        }
        int needed = Math.min(policy.full(view), holders.size());
        if (needed == 0) {
            return CopyState.NONE_POSSIBLE;
        }
        boolean areEnough = unverified.stream()
                .allMatch(range ->
                        holders.stream().filter(member -> member.holds(range)).count() >= needed);
        return areEnough ? CopyState.ENOUGH : CopyState.MISSING;
    }

    private List<QueueMember> others(ClusterView view) {
        return view.queues().stream()
                .filter(member -> member.session() != session)
                .toList();
    }

    private static List<QueueMember> staying(List<QueueMember> members) {
        return members.stream().filter(QueueDrain::isStaying).toList();
    }

    private static boolean isStaying(QueueMember member) {
        return !member.leaving();
    }
}
