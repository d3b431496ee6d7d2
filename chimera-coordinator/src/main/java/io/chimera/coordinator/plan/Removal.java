package io.chimera.coordinator.plan;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.JournalLosses;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.Roster;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Removes a queue node from its journal group for good, unless its journal may hold points that no other journal
 * holds. Any thread.
 */
public final class Removal {
    private static final String NOT_CONNECTED = "This coordinator is not connected to ZooKeeper; retry when it is.";

    private final Supplier<ClusterView> view;
    private final Registrations registrations;
    private final ReplicationPolicy copies;

    /** The registered queue nodes. */
    public interface Registrations {
        /**
         * Removes all lanes of a queue node, or none.
         *
         * @param lanes ids of the lanes; ids that are not registered are left out
         * @param seen losses in the view that permits the removal
         * @return false when no lane was registered
         * @throws ChimeraException when the group of a lane has lost another journal since, or a lane has returned
         */
        boolean unregister(Collection<String> lanes, JournalLosses seen);
    }

    /**
     * Creates the rule of a cluster.
     *
     * @param view returns the newest view
     * @param registrations registered queue nodes
     * @param copies number of journals that must store a point
     */
    public Removal(Supplier<ClusterView> view, Registrations registrations, ReplicationPolicy copies) {
        this.view = view;
        this.registrations = registrations;
        this.copies = copies;
    }

    /**
     * Removes a queue node with all its lanes, or a lost lane of a live node.
     *
     * @param isLost whether the operator accepts that points of this node's journal are lost
     * @return the outcome as text
     * @throws ChimeraException when the node must stay in the group
     */
    public String remove(String id, boolean isLost) {
        ClusterView cluster = view.get();
        if (!cluster.connected()) {
            throw new ChimeraException(Category.ERROR, NOT_CONNECTED);
        }
        List<String> members = membersToRemove(cluster, id, isLost);
        if (members.isEmpty()) {
            throw notRegistered(id);
        }
        for (String member : members) {
            Optional<String> refusal = refusal(cluster, copies, member, isLost);
            if (refusal.isPresent()) {
                throw new ChimeraException(Category.ERROR, refusal.get());
            }
        }
        if (!registrations.unregister(members, cluster.journals().losses())) {
            throw notRegistered(id);
        }
        return (isLaneOfAnother(cluster, id)
                        ? "Lane " + id
                                + " was removed from its group, and the other lanes of its node stay. The lane may"
                                + " return only with an empty folder; keep the old one until the cluster has stored all"
                                + " points."
                        : "Queue node " + id + " was removed from the group. It may return only with an empty"
                                + " node.data_dir; keep the old one until the cluster has stored all points.")
                + shortageWithout(cluster, id);
    }

    private static boolean isLaneOfAnother(ClusterView cluster, String id) {
        return !cluster.roster().nodeOf(id).equals(id);
    }

    /**
     * Returns all lanes of a node, or a lost lane of a live node. The process of a live node has the other lanes, so
     * the cluster does not wait for their journals; a dead node leaves as a whole.
     */
    private static List<String> membersToRemove(ClusterView cluster, String id, boolean isLost) {
        Roster roster = cluster.roster();
        if (!isLaneOfAnother(cluster, id)) {
            return roster.lanesOf(id);
        }
        String node = roster.nodeOf(id);
        boolean isNodeLive =
                cluster.queues().stream().anyMatch(member -> member.id().equals(node));
        if (!isLost || !isNodeLive) {
            throw new ChimeraException(
                    Category.ERROR,
                    id + " is a lane of " + node + ", and a node is removed with all its lanes: chimera cluster remove "
                            + node + ". Only a lost lane of a live node is removed alone, with --lost.");
        }
        return roster.ids().contains(id) ? List.of(id) : List.of();
    }

    /** Returns a sentence about the copies of a node's group without the node; empty if enough nodes stay. */
    private String shortageWithout(ClusterView cluster, String id) {
        JournalGroup group = cluster.roster().groups().get(id);
        return group == null
                ? ""
                : copies.shortageAfterRemoval(
                                group.toString(), cluster.in(group).members() - 1)
                        .map(shortage -> " " + shortage)
                        .orElse("");
    }

    private static ChimeraException notRegistered(String id) {
        return new ChimeraException(
                Category.ERROR, "Queue node " + id + " is not registered; see chimera cluster status.");
    }

    /**
     * Returns why a queue node must stay in the group. Other journals of the group have the records that the node had
     * at the last loss of the group, see {@link io.chimera.common.cluster.CopiedJournals#isCopied}. Later points were
     * acknowledged after as many journals had them as {@link ReplicationPolicy#least} says. When that number is at
     * least two, and all other queue nodes of the group are live, one of them has the points.
     */
    public static Optional<String> refusal(ClusterView cluster, ReplicationPolicy copies, String id, boolean isLost) {
        ClusterView view = ofGroup(cluster, id);
        String node = cluster.roster().nodeOf(id);
        if (!view.connected()) {
            return Optional.of(NOT_CONNECTED);
        }
        if (view.queues().stream().anyMatch(member -> member.id().equals(id))) {
            return Optional.of("Queue node " + id + " lives. Drain it: chimera cluster remove " + node
                    + " drains the node if it answers at the address shown by cluster status.");
        }
        Optional<Long> missing = missingCycle(view);
        if (missing.isPresent()) {
            return Optional.of("Cycle " + missing.get() + " has points that no live journal holds. Start the queue"
                    + " node with these points.");
        }
        int others = view.members() - 1;
        int staying = (int) view.queues().stream()
                .filter(member -> !member.leaving() && view.roster().ids().contains(member.id()))
                .count();
        if (!isLost && (staying == 0 || staying < others || copies.least() < 2)) {
            return Optional.of("Points may be lost with the journal of " + id + ": "
                    + (copies.least() < 2
                            ? "one copy is enough for an acknowledgement here (queue.acks, queue.min_acks)"
                            : "of the other " + others + " queue nodes only " + staying + " live and stay")
                    + ". Start the dead queue nodes, or start " + node
                    + " and remove it while it lives. If its disk is lost, or its"
                    + " points are dispensable: chimera cluster remove --lost " + node + ".");
        }
        if (!isLost && !isCopied(view, id)) {
            return Optional.of(
                    "The journal of " + id + " may have the only copy of points: the other queue nodes of its"
                            + " group had not copied it, since they joined or since the group lost another journal. Start "
                            + node
                            + " and remove it while it lives. If its disk is lost, or its points are dispensable: chimera"
                            + " cluster remove --lost " + node + ".");
        }
        return Optional.empty();
    }

    private static boolean isCopied(ClusterView view, String id) {
        JournalGroup group = view.roster().groups().get(id);
        return group != null && view.journals().isCopied(id, group);
    }

    /** Returns the view of a node's group; the view of all groups while the group of the node is unknown. */
    private static ClusterView ofGroup(ClusterView cluster, String id) {
        return cluster.roster().unknown().contains(id)
                ? cluster
                : cluster.in(cluster.roster().groups().getOrDefault(id, JournalGroup.DEFAULT));
    }

    /** Returns an open cycle that the journals of live queue nodes do not hold completely. */
    private static Optional<Long> missingCycle(ClusterView view) {
        return view.cycles().values().stream()
                .filter(open -> !open.isCommitted())
                .filter(open -> {
                    Optional<Positions> before = view.cutBefore(open.cycle().number());
                    return before.isPresent()
                            && !isHeld(view, before.get(), open.cycle().cut());
                })
                .map(open -> open.cycle().number())
                .findFirst();
    }

    private static boolean isHeld(ClusterView view, Positions before, Positions cut) {
        return cut.since(before).stream()
                .allMatch(range -> view.queues().stream().anyMatch(member -> member.holds(range)));
    }
}
