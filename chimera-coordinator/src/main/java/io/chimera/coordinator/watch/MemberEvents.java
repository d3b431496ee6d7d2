package io.chimera.coordinator.watch;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.coordinator.watch.ClusterEvent.Kind;
import io.chimera.coordinator.watch.KnownMembers.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reports joins, drains and ends of nodes during one term. The first view of a coordinator causes no events. A node
 * counts as gone after its session has been missing for the grace time of this term. Used by the conductor's thread
 * only.
 */
public final class MemberEvents {
    private final KnownMembers known;
    private final long graceNs;
    private final Consumer<ClusterEvent> events;

    /** Times since which sessions that are not gone yet are missing. */
    private final Map<Long, Long> missingSinceNs = new HashMap<>();

    private long seenRevision = -1;

    public MemberEvents(KnownMembers known, long graceNs, Consumer<ClusterEvent> events) {
        this.known = known;
        this.graceNs = graceNs;
        this.events = events;
    }

    /** Compares a view with the known members. */
    public void look(ClusterView view, long nowNs) {
        if (view.revision() == seenRevision && missingSinceNs.isEmpty()) {
            return;
        }
        seenRevision = view.revision();
        Set<Long> live = new HashSet<>();
        for (QueueMember member : view.queues()) {
            live.add(member.session());
            seen(view, member.session(), new NodeName("queue", member.id()), member.leaving(), member.address());
        }
        for (ProcessorMember member : view.processors()) {
            live.add(member.session());
            seen(view, member.session(), new NodeName("processor", member.id()), member.leaving(), member.address());
        }
        known.baselineRecorded();
        for (long session : known.sessions()) {
            if (!live.contains(session)) {
                missed(view, session, nowNs);
            }
        }
        known.removeGone(named(view));
    }

    private void seen(ClusterView view, long session, NodeName name, boolean isLeaving, String address) {
        Optional<State> before = known.state(session).filter(state -> state != State.GONE);
        missingSinceNs.remove(session);
        known.announced(session, name, isLeaving);
        if (!known.hasBaseline()) {
            return;
        }
        if (before.isEmpty()) {
            report(view, Kind.JOINED, session, "session=" + Long.toHexString(session) + " address=" + address);
        }
        if (isLeaving && !before.equals(Optional.of(State.LEAVING))) {
            report(view, Kind.DRAINING, session, "");
        }
    }

    private void missed(ClusterView view, long session, long nowNs) {
        Optional<State> state = known.state(session);
        if (state.equals(Optional.of(State.GONE))) {
            return;
        }
        long sinceNs = missingSinceNs.computeIfAbsent(session, key -> nowNs);
        if (nowNs - sinceNs >= graceNs) {
            missingSinceNs.remove(session);
            known.gone(session);
            boolean wasLeaving = state.equals(Optional.of(State.LEAVING));
            report(view, wasLeaving ? Kind.LEFT : Kind.DIED, session, "session=" + Long.toHexString(session));
        }
    }

    private void report(ClusterView view, Kind kind, long session, String facts) {
        List<Long> cycles = new ArrayList<>();
        int parts = 0;
        int shards = 0;
        for (OpenCycle open : view.open()) {
            int ownParts = parts(open, session);
            int ownShards = shards(open, session);
            if (ownParts + ownShards > 0) {
                cycles.add(open.cycle().number());
            }
            parts += ownParts;
            shards += ownShards;
        }
        events.accept(new ClusterEvent(kind, known.name(session, ""), cycles, parts, shards, facts));
    }

    private static Set<Long> named(ClusterView view) {
        Set<Long> named = new HashSet<>();
        for (OpenCycle open : view.open()) {
            named.addAll(open.assignment().owners());
            named.addAll(open.assignment().processors());
        }
        return named;
    }

    private static int parts(OpenCycle open, long session) {
        return open.isCommitted()
                ? 0
                : (int) open.assignment().owners().stream()
                        .filter(owner -> owner == session)
                        .count();
    }

    private static int shards(OpenCycle open, long session) {
        int shards = 0;
        for (int shard = 0; shard < open.cycle().shards(); shard++) {
            boolean isOwn = open.assignment().processors().get(shard) == session;
            shards += isOwn && !open.isCommitted(shard) ? 1 : 0;
        }
        return shards;
    }
}
