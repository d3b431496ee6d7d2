package io.chimera.coordinator.conductor;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.plan.Assignments;
import io.chimera.coordinator.plan.Reassigner;
import io.chimera.coordinator.watch.ClusterEvent;
import io.chimera.coordinator.watch.ClusterEvent.Kind;
import io.chimera.coordinator.watch.KnownMembers;
import io.chimera.coordinator.watch.NodeName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Moves unfinished work to other sessions, as the {@link Reassigner} finds it (rule 5 of docs/protocol.md), and reports
 * each move. Used by the conductor's thread only.
 */
final class WorkMover {
    private final ConductorEnvironment environment;
    private final Counters<CoordinatorCounter> counters;
    private final KnownMembers members;
    private final Reassigner reassigner;
    private final TermState term;

    WorkMover(ConductorEnvironment environment, KnownMembers members, Reassigner reassigner, TermState term) {
        this.environment = environment;
        this.members = members;
        this.reassigner = reassigner;
        this.term = term;
        counters = environment.counters();
    }

    /** Performs the next write of this rule; returns false when none is due. */
    boolean next(ClusterView view, long nowNs) {
        reassigner.look(view, nowNs);
        Optional<Reassigner.Move> move =
                reassigner.next(view, open -> term.candidates().takers(view, open), nowNs);
        move.ifPresent(found -> assign(view, found, nowNs));
        return move.isPresent();
    }

    private void assign(ClusterView view, Reassigner.Move move, long nowNs) {
        OpenCycle open = move.open();
        Assignment next = move.next();
        long number = open.cycle().number();
        boolean isAccepted = environment.store().assign(number, next);
        if (term.writes().stands(isAccepted, nowNs, shown -> isShown(shown, number, next))) {
            count(move);
            reportMoves(view, move, "queue", open.assignment().owners(), next.owners(), nowNs);
            reportMoves(view, move, "processor", open.assignment().processors(), next.processors(), nowNs);
            reassigner.moved(move, nowNs);
        }
    }

    private static boolean isShown(ClusterView view, long number, Assignment next) {
        Optional<OpenCycle> shown = view.open(number);
        return shown.isEmpty() || shown.get().assignment().version() >= next.version();
    }

    private void count(Reassigner.Move move) {
        Assignment now = move.open().assignment();
        Assignment next = move.next();
        counters.add(CoordinatorCounter.PARTS_REASSIGNED, Assignments.differences(now.owners(), next.owners()));
        counters.add(
                CoordinatorCounter.SHARDS_REASSIGNED, Assignments.differences(now.processors(), next.processors()));
        counters.add(CoordinatorCounter.LIVING_REASSIGNED, move.isFromLiving() ? 1 : 0);
    }

    /** Reports each node of a tier that lost work, with the new nodes of that work. */
    private void reportMoves(
            ClusterView view, Reassigner.Move move, String role, List<Long> from, List<Long> to, long nowNs) {
        long number = move.open().cycle().number();
        Assignment next = move.next();
        for (long loser : new TreeSet<>(from)) {
            Set<String> takers = new TreeSet<>();
            int moved = 0;
            for (int i = 0; i < from.size(); i++) {
                if (from.get(i) == loser && to.get(i) != loser) {
                    moved++;
                    takers.add(members.name(to.get(i), role).id());
                }
            }
            if (moved > 0) {
                boolean isQueue = role.equals("queue");
                environment
                        .events()
                        .accept(new ClusterEvent(
                                Kind.REASSIGNED,
                                new NodeName(role, members.name(loser, role).id()),
                                List.of(number),
                                isQueue ? moved : 0,
                                isQueue ? 0 : moved,
                                "to=" + takers + " reason=" + reassigner.reason(view, loser, next.digest(), nowNs)
                                        + " version=" + next.version()));
            }
        }
    }
}
