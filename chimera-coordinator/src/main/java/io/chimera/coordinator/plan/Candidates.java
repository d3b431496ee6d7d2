package io.chimera.coordinator.plan;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.coordinator.watch.UnreachableNodes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Selects the members that may get work of a cycle. Used by the conductor's thread only. */
public final class Candidates {
    private final ConfigurationRollout rollout;
    private final UnreachableNodes unreachable;

    public Candidates(ConfigurationRollout rollout, UnreachableNodes unreachable) {
        this.rollout = rollout;
        this.unreachable = unreachable;
    }

    /**
     * Returns the queue nodes for parts of new cycles, ordered by group, then by id. A draining node gets parts only
     * while its whole group retires and has new records: other groups go on, and these records must be sent before the
     * group is gone. The lane of a node retires alone if no other node has this lane.
     */
    public List<QueueMember> queues(ClusterView view) {
        List<QueueMember> able = new ArrayList<>(view.queues().stream()
                .filter(member -> member.holds(rollout.digest()) && !member.leaving())
                .toList());
        if (!able.isEmpty()) {
            able.addAll(retiring(view, able));
            able.sort(Comparator.comparing(QueueMember::group)); // stable: by id within a group
        }
        return unreachable.reachableByGroup(able);
    }

    private List<QueueMember> retiring(ClusterView view, List<QueueMember> staying) {
        Positions cut = view.lastCut();
        return view.queues().stream()
                .filter(member -> member.leaving()
                        && member.holds(rollout.digest())
                        && staying.stream().noneMatch(other -> other.group().equals(member.group()))
                        && Cuts.holdsNew(member, cut))
                .toList();
    }

    /** Returns the processors for shards of new cycles, in the order of their ids. */
    public List<ProcessorMember> processors(ClusterView view) {
        List<ProcessorMember> able = view.processors().stream()
                .filter(member -> member.holds(rollout.digest()) && !member.leaving())
                .toList();
        return unreachable.reachable(able, ProcessorMember::session);
    }

    /** Returns the candidates for work that an open cycle takes from other sessions. */
    public Reassigner.Takers takers(ClusterView view, OpenCycle open) {
        ConfigurationDigest digest = rollout.of(view, open);
        return new Reassigner.Takers(
                digest,
                view.groups().stream()
                        .flatMap(group ->
                                stayingIfAny(
                                        view.in(group).queues(), member -> member.holds(digest), QueueMember::leaving)
                                        .stream())
                        .toList(),
                stayingIfAny(view.processors(), member -> member.holds(digest), ProcessorMember::leaving));
    }

    /**
     * Returns the able members without a drain. Draining nodes get work only when no other node is left, because they
     * cannot leave before the work is done.
     */
    private static <M> List<M> stayingIfAny(List<M> members, Predicate<M> isAble, Predicate<M> isLeaving) {
        List<M> able = members.stream().filter(isAble).toList();
        List<M> staying = able.stream().filter(isLeaving.negate()).toList();
        return staying.isEmpty() ? able : staying;
    }
}
