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
import io.chimera.common.ring.BatchRing;
import io.chimera.queue.journal.Journal;
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
 * <p>The records that count are those in the journal when the inputs have closed and their points are answered: peers
 * under load send further records until this node stops, and have these records themselves. A finished drain stays
 * finished, so that the lanes of a node may finish one after the other.
 *
 * <p>One agent of the announcer's thread; any thread may call {@link #begin} and read the state.
 */
final class QueueDrain implements Agent {
    private static final long LOOK_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /**
     * Number of unchanged polls that end the wait for a non-empty ring: a second, in which the journaler processes far
     * more than a full ring.
     */
    private static final int STILL_LOOKS = 20;

    private final long session;
    private final long stream;
    private final JournalGroup base;
    private final Clock clock;
    private final Cluster cluster;

    /** The cluster with all journal groups. */
    private final Cluster allGroups;

    private final Listeners listeners;
    private final BatchRing ring;
    private final Journal journal;
    private final ReplicationPolicy copies;
    private final PositionAnnouncer announcer;
    private final MemberDrain farewell;

    private Stage stage = Stage.INPUTS_OPEN;

    /** Records that must be stored or copied; since {@link Stage#COPYING}. */
    private Positions last = Positions.NONE;

    private long nextAtNs;
    private long journaled = -1;
    private int stillLooks;
    private volatile boolean hasBegun;
    private volatile String awaited = "";
    private volatile boolean isCopied;

    /**
     * Stage of a drain.
     *
     * <pre>
     * from           event                                           to
     * INPUTS_OPEN    no parts are left, or the group retires         INPUTS_CLOSED
     * INPUTS_CLOSED  no parts are left, and all points are answered  COPYING
     * COPYING        all records are stored or copied                DONE
     *
     * A node without peers may stop in COPYING.
     * </pre>
     */
    private enum Stage {
        INPUTS_OPEN,
        INPUTS_CLOSED,
        COPYING,
        DONE
    }

    QueueDrain(
            QueueIdentity self,
            QueueEnvironment surroundings,
            Cluster allGroups,
            BatchRing ring,
            Journal journal,
            ReplicationPolicy copies,
            PositionAnnouncer announcer) {
        session = self.session();
        stream = self.stream();
        base = self.group().base();
        clock = surroundings.clock();
        cluster = surroundings.cluster();
        this.allGroups = allGroups;
        listeners = surroundings.listeners();
        this.ring = ring;
        this.journal = journal;
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
            case COPYING -> copies();
            case DONE -> Optional.empty();
        };
    }

    private Optional<String> closeInputs() {
        stage = Stage.INPUTS_CLOSED;
        listeners.stop();
        return Optional.of("its inputs to close");
    }

    /**
     * Whether this node leaves as the last one of its configured group while other groups go on. Its records then stay
     * its own work until their cycles are verified, so the inputs close first. The lanes of a node leave together, so
     * a lane does not retire while a lane of another node stays.
     */
    private boolean isGroupRetiring() {
        List<QueueMember> staying = allGroups.view().queues().stream()
                .filter(member -> !member.leaving() && member.session() != session)
                .toList();
        return !staying.isEmpty()
                && staying.stream().noneMatch(member -> member.group().base().equals(base));
    }

    /**
     * Waits until all requests are answered, no new record was journaled since the last poll, and the ring is empty.
     * Under a heavy load of peers' batches the ring never runs empty; then some more unchanged polls suffice.
     */
    private Optional<String> answers() {
        long before = journaled;
        journaled = journal.position(stream);
        boolean isStill = listeners.unanswered() == 0 && journaled == before && journal.durable(stream) == journaled;
        stillLooks = isStill ? stillLooks + 1 : 0;
        if (!isStill || (ring.used() > 0 && stillLooks < STILL_LOOKS)) {
            return Optional.of("requests to be answered");
        }
        last = journal.durables();
        stage = Stage.COPYING;
        return copies();
    }

    private Optional<String> copies() {
        ClusterView view = cluster.view();
        List<QueueMember> others = others(view);
        int needed = Math.min(copies.full(view), others.size());
        boolean isAnyNeeded = false;
        boolean isRetiring = isGroupRetiring();
        Positions done = journal.bases().max(view.low().cut());
        for (StreamRange open : last.since(done)) {
            long holders = others.stream()
                    .filter(member -> member.position(open.stream()) >= open.upTo())
                    .count();
            // Without live peers no node can copy the records; they stay in the journal until the node returns.
            isAnyNeeded = true;
            if (isRetiring) {
                isCopied = false;
                return Optional.of("its points to be stored, because no other node of its journal group stays");
            }
            if (holders < needed) {
                isCopied = false;
                return Optional.of("other queue nodes to copy its journal");
            }
        }
        isCopied = needed > 0 || !isAnyNeeded;
        stage = isCopied ? Stage.DONE : stage;
        return Optional.empty();
    }

    /** Returns the queue nodes that may hold copies: the nodes that stay, or all other nodes if no other node stays. */
    private List<QueueMember> others(ClusterView view) {
        List<QueueMember> others = view.queues().stream()
                .filter(member -> member.session() != session)
                .toList();
        List<QueueMember> staying =
                others.stream().filter(member -> !member.leaving()).toList();
        return staying.isEmpty() ? others : staying;
    }
}
