package io.chimera.coordinator;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.coordinator.ClusterEvent.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reports joins, drains and ends of nodes, and keeps the names of sessions that open cycles still name. The first view
 * of a coordinator causes no events. A node counts as gone after its session has been missing for the grace time. Used
 * by the conductor's thread only.
 */
final class MemberEvents {
    private final long graceNs;
    private final Consumer<ClusterEvent> events;
    private final Map<Long, Known> known = new HashMap<>();
    private boolean isFirst = true;
    private long seenRevision = -1;

    MemberEvents(long graceNs, Consumer<ClusterEvent> events) {
        this.graceNs = graceNs;
        this.events = events;
    }

    /**
     * Name of a session.
     *
     * @param role of the node
     * @param id of the node
     */
    record Name(String role, String id) {}

    private static final class Known {
        private final Name name;
        private boolean isLeaving;
        private boolean isMissing;
        private boolean isGone;
        private long missingSinceNs;

        Known(String role, String id) {
            name = new Name(role, id);
        }
    }

    /** Compares a view with the known members. */
    void look(ClusterView view, long nowNs) {
        if (view.revision() == seenRevision && known.values().stream().noneMatch(one -> one.isMissing && !one.isGone)) {
            return;
        }
        seenRevision = view.revision();
        Set<Long> live = new HashSet<>();
        for (QueueMember member : view.queues()) {
            live.add(member.session());
            seen(view, member.session(), new Known("queue", member.id()), member.leaving(), member.address());
        }
        for (ProcessorMember member : view.processors()) {
            live.add(member.session());
            seen(view, member.session(), new Known("processor", member.id()), member.leaving(), member.address());
        }
        isFirst = false;
        known.forEach((session, one) -> {
            if (!live.contains(session)) {
                missed(view, session, one, nowNs);
            }
        });
        Set<Long> named = named(view);
        known.entrySet().removeIf(one -> one.getValue().isGone && !named.contains(one.getKey()));
    }

    private void seen(ClusterView view, long session, Known found, boolean isLeaving, String address) {
        Known one = known.get(session);
        if (one == null || one.isGone) {
            known.put(session, found);
            if (!isFirst) {
                report(
                        view,
                        Kind.JOINED,
                        session,
                        found,
                        "session=" + Long.toHexString(session) + " address=" + address);
            }
            one = found;
        }
        if (isLeaving && !one.isLeaving && !isFirst) {
            report(view, Kind.DRAINING, session, one, "");
        }
        one.isLeaving = isLeaving;
        one.isMissing = false;
    }

    private void missed(ClusterView view, long session, Known one, long nowNs) {
        if (!one.isMissing) {
            one.isMissing = true;
            one.missingSinceNs = nowNs;
        }
        if (!one.isGone && nowNs - one.missingSinceNs >= graceNs) {
            one.isGone = true;
            report(view, one.isLeaving ? Kind.LEFT : Kind.DIED, session, one, "session=" + Long.toHexString(session));
        }
    }

    private void report(ClusterView view, Kind kind, long session, Known one, String facts) {
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
        events.accept(new ClusterEvent(kind, one.name.role(), one.name.id(), cycles, parts, shards, facts));
    }

    private static Set<Long> named(ClusterView view) {
        Set<Long> named = new HashSet<>();
        for (OpenCycle open : view.open()) {
            named.addAll(open.assignment().owners());
            named.addAll(open.assignment().processors());
        }
        return named;
    }

    /** Returns the name of a session; for an unknown node the session in hex, with the given role. */
    Name name(long session, String role) {
        Known one = known.get(session);
        return one == null ? new Name(role, Long.toHexString(session)) : one.name;
    }

    /** Restarts all grace times: observations made before this term are stale. */
    void forget() {
        known.values().forEach(one -> one.isMissing = false);
        seenRevision = -1;
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
