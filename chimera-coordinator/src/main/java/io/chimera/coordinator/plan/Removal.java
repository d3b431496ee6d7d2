package io.chimera.coordinator.plan;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Removes a queue node from its journal group for good, unless its journal may hold points that no other journal
 * holds. Any thread.
 */
public final class Removal {
    private static final String NOT_CONNECTED = "This coordinator is not connected to ZooKeeper; retry when it is.";

    private final Supplier<ClusterView> view;
    private final Predicate<String> unregister;
    private final ReplicationPolicy copies;

    /**
     * Creates the rule of a cluster.
     *
     * @param view returns the newest view
     * @param unregister removes a queue node from the group; returns false if the group lacks the node
     * @param copies number of journals that must store a point
     */
    public Removal(Supplier<ClusterView> view, Predicate<String> unregister, ReplicationPolicy copies) {
        this.view = view;
        this.unregister = unregister;
        this.copies = copies;
    }

    /**
     * Removes a queue node with all its lanes.
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
        String node = cluster.roster().nodeOf(id);
        if (!node.equals(id)) {
            throw new ChimeraException(
                    Category.ERROR,
                    id + " is a lane of " + node + ", and a node is removed with all its lanes: chimera cluster remove "
                            + node + ".");
        }
        List<String> members = cluster.roster().lanesOf(id);
        if (members.isEmpty()) {
            throw notRegistered(id);
        }
        for (String member : members) {
            Optional<String> refusal = refusal(cluster, copies, member, isLost);
            if (refusal.isPresent()) {
                throw new ChimeraException(Category.ERROR, refusal.get());
            }
        }
        boolean isRemoved = false;
        for (String member : members) {
            isRemoved |= unregister.test(member);
        }
        if (!isRemoved) {
            throw notRegistered(id);
        }
        return "Queue node " + id + " was removed from the group. It may return only with an empty node.data_dir; keep"
                + " the old one until the cluster has stored all points.";
    }

    private static ChimeraException notRegistered(String id) {
        return new ChimeraException(
                Category.ERROR, "Queue node " + id + " is not registered; see chimera cluster status.");
    }

    /**
     * Returns why a queue node must stay in the group. Acknowledged points are in as many journals as {@link
     * ReplicationPolicy#least} says, at least two, except points that were acknowledged while the group was smaller.
     * When all other queue nodes of the group are live and have copied from the node, at least one of them has the
     * points; a node that has begun to copy and is still behind is not told apart.
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
        int absent = others - view.queues().size();
        if (!isLost && (view.queues().isEmpty() || absent > 0 || copies.least() < 2)) {
            return Optional.of("Points may be lost with the journal of " + id + ": "
                    + (copies.least() < 2
                            ? "one copy is enough for an acknowledgement here (queue.acks, queue.min_acks)"
                            : "of the other " + others + " queue nodes only "
                                    + view.queues().size() + " live")
                    + ". Start the missing queue nodes, or start " + node
                    + " and remove it while it lives. If its disk is lost, or its"
                    + " points are dispensable: chimera cluster remove --lost " + node + ".");
        }
        if (!isLost && !hasCopies(view)) {
            return Optional.of("No live queue node has records of " + id + ". If " + node
                    + " accepted points before the others joined, only its journal has them. Start " + node
                    + " and remove it while it lives. If its disk is lost, or its points are dispensable: chimera"
                    + " cluster remove --lost " + node + ".");
        }
        return Optional.empty();
    }

    /**
     * Returns whether a live queue node has records of a queue node that is not live. A node that joined after the
     * death of another one has none, and points that were acknowledged earlier may be in a single journal.
     */
    private static boolean hasCopies(ClusterView view) {
        Set<Long> own = view.queues().stream().map(QueueMember::stream).collect(Collectors.toSet());
        return view.queues().stream()
                .anyMatch(member -> member.positions().streams().stream().anyMatch(stream -> !own.contains(stream)));
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
