package io.chimera.common.cluster;

import java.util.Optional;

/**
 * How many journals must hold a record: before its sender is told of success, and before a cycle may take it. Both sides
 * ask here, so that what is acknowledged can be cut.
 *
 * @param wanted journals, as far as so many queue nodes belong to the group
 * @param least journals that do while queue nodes that belong to the group are missing; at most {@code wanted}
 */
public record Copies(int wanted, int least) {
    /** Checks the range. */
    public Copies {
        if (least < 1 || wanted < least) {
            throw new IllegalArgumentException("At least one copy, and no more at the least than are wanted: " + wanted
                    + " wanted, " + least + " at the least");
        }
    }

    /** Never fewer than wanted, whoever is missing. */
    public static Copies of(int wanted) {
        return new Copies(wanted, wanted);
    }

    /** Journals that must hold a record while all queue nodes of the group live. */
    public int full(ClusterView view) {
        // Before the first view nobody knows how many there could be.
        return view.registered() == 0 ? wanted : Math.min(wanted, view.registered());
    }

    /** Journals that must hold a record at this moment. */
    public int needed(ClusterView view) {
        int full = full(view);
        return Math.max(Math.min(least, full), Math.min(full, view.queues().size()));
    }

    /** Journals that are done without because queue nodes are missing; 0 when all is well. */
    public int missing(ClusterView view) {
        return full(view) - needed(view);
    }

    /** What the operator must know while journals are done without. */
    public Optional<String> alarm(ClusterView view) {
        return missing(view) == 0
                ? Optional.empty()
                : Optional.of("Senders are told of success when " + needed(view) + " of the " + full(view)
                        + " journals that queue.acks asks for hold their points (queue.min_acks allows it): only "
                        + view.queues().size() + " of " + view.registered()
                        + " queue nodes live. Points are lost with the disk that holds them. Start the others, or take them"
                        + " out of the group with chimera cluster remove.");
    }
}
