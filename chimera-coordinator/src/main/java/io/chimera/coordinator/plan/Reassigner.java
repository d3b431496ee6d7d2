package io.chimera.coordinator.plan;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ShardId;
import io.chimera.coordinator.watch.FailureDetector;
import io.chimera.coordinator.watch.Stragglers;
import io.chimera.coordinator.watch.UnreachableNodes;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds parts and shards to reassign (rule 5 of docs/protocol.md): the work of sessions that are gone, unreachable for
 * the rest of the cluster, or far behind the rest. Reassigning is always safe: the content of a cycle does not change,
 * and a commit under the earlier assignment has no effect. Used by the conductor's thread only.
 */
public final class Reassigner {
    private final FailureDetector absences;
    private final UnreachableNodes cutOffs;
    private final Stragglers stragglers;

    /** Creates a planner from the observations of one term; {@link #look} updates them. */
    public Reassigner(FailureDetector absences, UnreachableNodes cutOffs, Stragglers stragglers) {
        this.absences = absences;
        this.cutOffs = cutOffs;
        this.stragglers = stragglers;
    }

    /**
     * A reassignment.
     *
     * @param open the cycle with its current assignment
     * @param next its next assignment
     * @param isFromLiving whether a live session loses work
     */
    public record Move(OpenCycle open, Assignment next, boolean isFromLiving) {}

    /**
     * Candidates for the work of a cycle.
     *
     * @param digest configuration digest with which the cycle continues
     * @param queues candidates for parts
     * @param processors candidates for shards
     */
    public record Takers(ConfigurationDigest digest, List<QueueMember> queues, List<ProcessorMember> processors) {}

    /** Updates all observations from a view. */
    public void look(ClusterView view, long nowNs) {
        absences.look(view, nowNs);
        cutOffs.look(view, nowNs);
        stragglers.look(view, nowNs);
    }

    /**
     * Returns the next reassignment; empty when none is needed.
     *
     * @param takers returns the candidates for the work of a cycle
     */
    public Optional<Move> next(ClusterView view, Function<OpenCycle, Takers> takers, long nowNs) {
        for (OpenCycle open : view.open()) {
            Optional<Positions> before = view.cutBefore(open.cycle().number());
            if (open.isCommitted() || before.isEmpty()) {
                continue;
            }
            Takers able = takers.apply(open);
            Reasons reasons = new Reasons(view, open, able.digest(), before.get(), nowNs);
            Optional<Assignment> next = Assignments.next(
                    open,
                    before.get(),
                    reasons,
                    able.digest(),
                    cutOffs.reachableByGroup(able.queues()),
                    cutOffs.reachable(able.processors(), ProcessorMember::session));
            if (next.isPresent()) {
                return Optional.of(new Move(open, next.get(), isFromLiving(open.assignment(), next.get(), nowNs)));
            }
        }
        return Optional.empty();
    }

    private boolean isFromLiving(Assignment now, Assignment next, long nowNs) {
        return losesAny(now.owners(), next.owners(), nowNs) || losesAny(now.processors(), next.processors(), nowNs);
    }

    private boolean losesAny(List<Long> now, List<Long> next, long nowNs) {
        for (int i = 0; i < now.size(); i++) {
            if (!now.get(i).equals(next.get(i)) && !absences.isGone(now.get(i), nowNs)) {
                return true;
            }
        }
        return false;
    }

    /** Returns in one word why a session loses work of a cycle that continues with the given digest. */
    public String reason(ClusterView view, long session, ConfigurationDigest digest, long nowNs) {
        boolean isLive =
                view.queue(session).isPresent() || view.processor(session).isPresent();
        if (!isLive || absences.isGone(session, nowNs)) {
            return "gone";
        }
        if (cutOffs.isCutOff(session)) {
            return "unreachable";
        }
        boolean isAble = view.queue(session)
                .map(member -> member.holds(digest))
                .or(() -> view.processor(session).map(member -> member.holds(digest)))
                .orElse(false);
        return isAble ? "behind" : "other_configuration";
    }

    /** Records a reassignment that the store accepted. */
    public void moved(Move move, long nowNs) {
        long cycle = move.open().cycle().number();
        Assignment now = move.open().assignment();
        for (int part = 0; part < now.owners().size(); part++) {
            if (!now.owners().get(part).equals(move.next().owners().get(part))) {
                stragglers.takenPart(cycle, part, now.owners().get(part), nowNs);
            }
        }
        for (int shard = 0; shard < now.processors().size(); shard++) {
            if (!now.processors().get(shard).equals(move.next().processors().get(shard))) {
                stragglers.takenShard(
                        new ShardId(cycle, shard), now.processors().get(shard), nowNs);
            }
        }
    }

    /** Conditions for one cycle. */
    private final class Reasons implements Assignments.Reasons {
        private final ClusterView view;
        private final OpenCycle open;
        private final ConfigurationDigest digest;
        private final Positions before;
        private final long nowNs;

        Reasons(ClusterView view, OpenCycle open, ConfigurationDigest digest, Positions before, long nowNs) {
            this.view = view;
            this.open = open;
            this.digest = digest;
            this.before = before;
            this.nowNs = nowNs;
        }

        @Override
        public boolean isGone(long session) {
            return absences.isGone(session, nowNs) || isUnable(session);
        }

        /**
         * Returns whether a live node lacks the pipelines of the cycle: the node was started before the cycle's
         * configuration changed.
         */
        private boolean isUnable(long session) {
            return view.queue(session).filter(member -> !member.holds(digest)).isPresent()
                    || view.processor(session)
                            .filter(member -> !member.holds(digest))
                            .isPresent();
        }

        @Override
        public boolean losesPart(int part, long owner) {
            return cutOffs.isCutOff(owner) || (stragglers.lagsPart(open, part, nowNs) && isBehind(owner));
        }

        private boolean isBehind(long owner) {
            return view.queue(owner)
                    .filter(queue -> !Cuts.holds(queue, open.cycle(), before))
                    .isPresent();
        }

        @Override
        public boolean losesShard(int shard, long processor) {
            return cutOffs.isCutOff(processor) || stragglers.lagsShard(open, shard, nowNs);
        }

        @Override
        public boolean hadShard(int shard, long processor) {
            return stragglers.hadShard(new ShardId(open.cycle().number(), shard), processor);
        }
    }
}
