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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;

/**
 * Drains a queue node before the node leaves the cluster. First the node gets no parts of later cycles and finishes its
 * present parts, while its inputs continue. Then the inputs close, and their accepted points are answered and
 * journaled. Finally the drain waits until all records of the journal are in verified cycles or in the journals of
 * other queue nodes of the group.
 *
 * <p>The last nodes of a journal group drain in another order while other groups go on: the inputs close first, the
 * nodes still get parts for their last records, and all records must be in verified cycles.
 *
 * <p>Peers count this node's journal for the copies of their points until the node stops following them. A peer that is
 * far behind would let senders wait, so the node follows until the records that were there at the end of its inputs are
 * copied. Then it stops following, and all records of its journal count: no acknowledged point loses a copy with this
 * node. A finished drain stays finished, so that the lanes of a node may finish one after the other.
 *
 * <p>One agent of the announcer's thread; any thread may call {@link #begin} and read the state.
 */
final class QueueDrain implements Agent {
    private static final long LOOK_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final long session;
    private final long stream;
    private final JournalGroup group;
    private final Clock clock;
    private final Cluster cluster;

    /** The cluster with all journal groups. */
    private final Cluster allGroups;

    private final Listeners listeners;
    private final DrainedRecords records;
    private final ReplicationPolicy copies;
    private final PositionAnnouncer announcer;
    private final MemberDrain farewell;

    private Stage stage = Stage.INPUTS_OPEN;

    /** Records that must be stored or copied; since {@link Stage#FOLLOWING}. */
    private Positions last = Positions.NONE;

    private long nextAtNs;
    private long journaled = -1;
    private volatile boolean hasBegun;
    private volatile String awaited = "";
    private volatile boolean isCopied;

    /**
     * Stage of a drain.
     *
     * <pre>
     * from           event                                                 to
     * INPUTS_OPEN    no parts are left, or the group retires               INPUTS_CLOSED
     * INPUTS_CLOSED  no parts are left, and all points are answered        FOLLOWING
     * FOLLOWING      the records up to the answers are stored or copied    ALONE
     * ALONE          all records are durable, and stored or copied         DONE
     *
     * A node without peers may stop in FOLLOWING and in ALONE.
     * </pre>
     */
    private enum Stage {
        INPUTS_OPEN,
        INPUTS_CLOSED,
        FOLLOWING,
        ALONE,
        DONE
    }

    /** Copies of the records outside verified cycles in the journals of other nodes. */
    private enum Copies {
        ENOUGH(""),
        MISSING("other queue nodes to copy its journal"),
        /** No other node of the group stays, so the records must be stored. */
        NONE_EXPECTED("its points to be stored, because no other node of its journal group stays"),
        /** No other node is live: the node may stop, and its journal must return. */
        NONE_POSSIBLE("");

        private final String awaited;

        Copies(String awaited) {
            this.awaited = awaited;
        }

        Optional<String> awaited() {
            return Optional.of(awaited).filter(text -> !text.isEmpty());
        }
    }

    QueueDrain(
            QueueIdentity self,
            QueueEnvironment surroundings,
            Cluster allGroups,
            DrainedRecords records,
            ReplicationPolicy copies,
            PositionAnnouncer announcer) {
        session = self.session();
        stream = self.stream();
        group = self.group();
        clock = surroundings.clock();
        cluster = surroundings.cluster();
        this.allGroups = allGroups;
        listeners = surroundings.listeners();
        this.records = records;
        this.copies = copies;
        this.announcer = announcer;
        farewell = new MemberDrain(clock, cluster, session);
        nextAtNs = clock.nanoTime();
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

    /**
     * Whether queue nodes that stay hold all records outside verified cycles at this moment. Two nodes that leave for
     * good must not count on each other's journals. Any thread.
     */
    boolean isRemovable() {
        if (!isCopied) {
            return false; // also publishes the last records
        }
        ClusterView view = cluster.view();
        return copies(view, staying(others(view))) == Copies.ENOUGH;
    }

    @Override
    public String roleName() {
        return "departure";
    }

    @Override
    public int doWork() {
        long nowNs = clock.nanoTime();
        if (!hasBegun || stage == Stage.DONE || nowNs - nextAtNs < 0) {
            return 0;
        }
        nextAtNs = nowNs + LOOK_EVERY_NS;
        awaited = next().orElse("");
        return 1;
    }

    private Optional<String> next() {
        if (stage == Stage.INPUTS_OPEN && isGroupRetiring()) {
            return closeInputs();
        }
        Optional<String> cycles = farewell.awaits();
        if (cycles.isPresent()) {
            return cycles;
        }
        return switch (stage) {
            case INPUTS_OPEN -> closeInputs();
            case INPUTS_CLOSED -> answers();
            case FOLLOWING -> follow();
            case ALONE -> copyRest();
            case DONE -> Optional.empty();
        };
    }

    private Optional<String> closeInputs() {
        stage = Stage.INPUTS_CLOSED;
        listeners.stop();
        return Optional.of("its inputs to close");
    }

    /**
     * Whether this node leaves as the last one of its group while other groups go on: no other journal can get its
     * records. The records then stay its own work until their cycles are verified, so the inputs close first. The group
     * of a lane above 0 may retire alone, when other nodes have fewer lanes.
     */
    private boolean isGroupRetiring() {
        List<QueueMember> staying = allGroups.view().queues().stream()
                .filter(member -> !member.leaving() && member.session() != session)
                .toList();
        return !staying.isEmpty()
                && staying.stream().noneMatch(member -> member.group().equals(group));
    }

    /** Waits until all requests are answered, and no new record was journaled since the last poll. */
    private Optional<String> answers() {
        long before = journaled;
        journaled = records.journal().position(stream);
        if (listeners.unanswered() > 0
                || journaled != before
                || records.journal().durable(stream) != journaled) {
            return Optional.of("requests to be answered");
        }
        last = records.last();
        stage = Stage.FOLLOWING;
        return follow();
    }

    private Optional<String> follow() {
        Copies copied = look();
        if (copied != Copies.ENOUGH) {
            return awaited(copied);
        }
        records.stopFollowing().run();
        stage = Stage.ALONE;
        return copyRest();
    }

    private Optional<String> copyRest() {
        if (!records.areDurable(cluster.view())) {
            return Optional.of("its last records to be journaled");
        }
        last = records.last();
        Copies copied = look();
        if (copied == Copies.ENOUGH) {
            isCopied = true;
            stage = Stage.DONE;
        }
        return awaited(copied);
    }

    /** Returns what the drain waits for, with the dead nodes whose journals the cycles may need. */
    private Optional<String> awaited(Copies copied) {
        List<String> absent = copied == Copies.NONE_EXPECTED ? cluster.view().absentNodes() : List.of();
        return copied.awaited()
                .map(text -> absent.isEmpty()
                        ? text
                        : text + "; the cycles may need the journals of nodes that are not live: "
                                + String.join(", ", absent));
    }

    /** Looks for copies of the records that must be stored or copied. */
    private Copies look() {
        ClusterView view = cluster.view();
        List<QueueMember> others = others(view);
        List<QueueMember> staying = staying(others);
        return copies(view, staying.isEmpty() ? others : staying);
    }

    /** Looks for copies in the journals of some queue nodes. */
    private Copies copies(ClusterView view, List<QueueMember> holders) {
        List<StreamRange> open =
                last.since(records.journal().bases().max(view.low().cut()));
        if (open.isEmpty()) {
            return Copies.ENOUGH;
        }
        if (isGroupRetiring()) {
            return Copies.NONE_EXPECTED;
        }
        int needed = Math.min(copies.full(view), holders.size());
        if (needed == 0) {
            return Copies.NONE_POSSIBLE;
        }
        boolean areEnough = open.stream()
                .allMatch(range -> holders.stream()
                                .filter(member -> member.position(range.stream()) >= range.upTo())
                                .count()
                        >= needed);
        return areEnough ? Copies.ENOUGH : Copies.MISSING;
    }

    private List<QueueMember> others(ClusterView view) {
        return view.queues().stream()
                .filter(member -> member.session() != session)
                .toList();
    }

    private static List<QueueMember> staying(List<QueueMember> others) {
        return others.stream().filter(member -> !member.leaving()).toList();
    }
}
