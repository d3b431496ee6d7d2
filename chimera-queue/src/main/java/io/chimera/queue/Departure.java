package io.chimera.queue;

import io.chimera.common.agent.Clock;
import io.chimera.common.channel.Listeners;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Copies;
import io.chimera.common.cluster.Farewell;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.ring.BatchRing;
import io.chimera.queue.journal.Journal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;

/**
 * Leads a queue node out of the cluster: first it gets no part of later cycles and finishes those it has, while its inputs
 * go on; then the inputs close, what they accepted is answered and journaled; at last it waits until all that its journal
 * holds is in a verified cycle or in the journals of others. One agent of the announcer's thread; {@link #begin} and what it
 * tells, any thread.
 */
final class Departure implements Agent {
    private static final long LOOK_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** A second, in which the journaler takes far more than a ring full. */
    private static final int STILL_LOOKS = 20;

    private final long session;
    private final long stream;
    private final Clock clock;
    private final Cluster cluster;
    private final Listeners listeners;
    private final BatchRing ring;
    private final Journal journal;
    private final Copies copies;
    private final Announcer announcer;
    private final Farewell farewell;

    private boolean areInputsOpen = true;
    private long nextAtNs;
    private long journaled = -1;
    private int stillLooks;
    private volatile boolean hasBegun;
    private volatile String awaited = "";

    Departure(
            QueueIdentity self,
            QueueSurroundings surroundings,
            BatchRing ring,
            Journal journal,
            Copies copies,
            Announcer announcer) {
        session = self.session();
        stream = self.stream();
        clock = surroundings.clock();
        cluster = surroundings.cluster();
        listeners = surroundings.listeners();
        this.ring = ring;
        this.journal = journal;
        this.copies = copies;
        this.announcer = announcer;
        farewell = new Farewell(clock, cluster, session);
        nextAtNs = clock.nanoTime();
    }

    /** Asks to leave. */
    void begin() {
        if (!hasBegun) {
            awaited = "the coordinator to note that it leaves";
            hasBegun = true;
            announcer.leave();
        }
    }

    /** What it waits for, in words that follow "waits for"; empty when the node may stop, and before it wants to. */
    Optional<String> awaits() {
        return Optional.of(awaited).filter(text -> !text.isEmpty());
    }

    @Override
    public String roleName() {
        return "departure";
    }

    @Override
    public int doWork() {
        long nowNs = clock.nanoTime();
        if (!hasBegun || nowNs - nextAtNs < 0) {
            return 0;
        }
        nextAtNs = nowNs + LOOK_EVERY_NS;
        awaited = next().orElse("");
        return 1;
    }

    private Optional<String> next() {
        Optional<String> cycles = farewell.awaits();
        if (cycles.isPresent()) {
            return cycles;
        }
        if (areInputsOpen) {
            areInputsOpen = false;
            listeners.stop();
            return Optional.of("its inputs to close");
        }
        return answers().or(this::copies);
    }

    /**
     * What the inputs accepted is journaled when all is answered, nothing came from one look to the next, and the ring is
     * empty; under a heavy load of peers' batches it never is, then some more looks do.
     */
    private Optional<String> answers() {
        long before = journaled;
        journaled = journal.position(stream);
        boolean isStill = listeners.unanswered() == 0 && journaled == before && journal.durable(stream) == journaled;
        stillLooks = isStill ? stillLooks + 1 : 0;
        boolean isDone = isStill && (ring.used() == 0 || stillLooks >= STILL_LOOKS);
        return isDone ? Optional.empty() : Optional.of("requests to be answered");
    }

    private Optional<String> copies() {
        ClusterView view = cluster.view();
        List<QueueMember> others = view.queues().stream()
                .filter(member -> member.session() != session)
                .toList();
        int needed = Math.min(copies.full(view), others.size());
        SortedMap<Long, Long> bases = journal.bases();
        for (Map.Entry<Long, Long> end : journal.durables().entrySet()) {
            long neededFrom = Math.max(
                    bases.getOrDefault(end.getKey(), 0L), view.low().cut().getOrDefault(end.getKey(), 0L));
            long holders = others.stream()
                    .filter(member -> member.position(end.getKey()) >= end.getValue())
                    .count();
            // Without another queue node nobody can take them; they stay in the journal until the node is back.
            if (end.getValue() > neededFrom && holders < needed) {
                return Optional.of("other queue nodes to copy its journal");
            }
        }
        return Optional.empty();
    }
}
