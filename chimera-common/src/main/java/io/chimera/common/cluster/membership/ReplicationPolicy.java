package io.chimera.common.cluster.membership;

import io.chimera.common.cluster.ClusterView;
import java.util.List;
import java.util.Optional;

/**
 * Replication policy: number of journals with a record before its sender gets an acknowledgement and before a cycle may
 * include the record. Acknowledgement and cut use the same policy, so every acknowledged record can be cut.
 *
 * @param wanted number of journals; limited by the number of queue nodes in the group
 * @param least number of journals while queue nodes of the group are dead; at most {@code wanted}
 */
public record ReplicationPolicy(int wanted, int least) {
    /** Checks the range. */
    public ReplicationPolicy {
        if (least < 1 || wanted < least) {
            throw new IllegalArgumentException("Invalid number of copies (1 <= least <= wanted required): " + wanted
                    + " wanted, " + least + " least");
        }
    }

    /** Creates a policy without reduction while queue nodes are dead. */
    public static ReplicationPolicy of(int wanted) {
        return new ReplicationPolicy(wanted, wanted);
    }

    /** Number of required journals while all queue nodes of the group are live. */
    public int full(ClusterView view) {
        return full(view.registered());
    }

    private int full(int registered) {
        // the group size is unknown before the first view
        return registered == 0 ? wanted : Math.min(wanted, registered);
    }

    /** Number of currently required journals. */
    public int needed(ClusterView view) {
        return needed(view.registered(), view.queues().size());
    }

    /** Number of currently required journals of a group with these numbers of registered and live queue nodes. */
    public int needed(int registered, int live) {
        int full = full(registered);
        return Math.max(Math.min(least, full), Math.min(full, live));
    }

    /** Number of copies given up because queue nodes are dead; 0 at full replication. */
    public int missing(ClusterView view) {
        return full(view) - needed(view);
    }

    /** Alarm for the operator while replication is reduced, or while too few queue nodes are live for an answer. */
    public Optional<String> alarm(ClusterView view) {
        int live = view.queues().size();
        if (live > 0 && live < needed(view)) {
            return Optional.of("Writes wait: a point needs " + needed(view)
                    + " copies (queue.acks, queue.min_acks), and " + liveOf(view) + ". " + remedy(view));
        }
        return missing(view) == 0
                ? Optional.empty()
                : Optional.of("Replication reduced: writes are acknowledged after " + needed(view) + " of the "
                        + full(view)
                        + " copies required by queue.acks (permitted by queue.min_acks): " + liveOf(view)
                        + ". A disk failure can lose points. " + remedy(view));
    }

    /**
     * Describes a journal group with fewer queue nodes than copies, phrased to follow "has"; empty for a group with
     * enough queue nodes, or without any.
     *
     * @param nodes number of registered queue nodes of the group
     */
    public Optional<String> shortage(int nodes) {
        return nodes == 0 || nodes >= wanted
                ? Optional.empty()
                : Optional.of(
                        nodes + " of the " + wanted + " queue nodes for the copies of queue.acks, so each point has "
                                + nodes + (nodes == 1 ? " copy" : " copies"));
    }

    /**
     * Returns a sentence about a journal group that keeps fewer queue nodes than copies after a removal; empty for
     * enough queue nodes.
     *
     * @param group name of the group
     * @param nodes number of registered queue nodes after the removal
     */
    public Optional<String> shortageAfterRemoval(String group, int nodes) {
        return shortage(nodes).map(shortage -> "Journal group " + group + " then has " + shortage + ".");
    }

    private static String remedy(ClusterView view) {
        List<String> dead = view.deadNodes();
        String nodes = dead.isEmpty() ? "the dead queue nodes" : String.join(", ", dead);
        return "Start " + nodes + ", or remove " + (dead.isEmpty() ? "them" : nodes)
                + " from the group with chimera cluster remove.";
    }

    private static String liveOf(ClusterView view) {
        return "only " + view.queues().size() + " of " + view.registered() + " queue nodes are live"
                + (view.members() < view.registered() ? " with this lane" : "");
    }
}
