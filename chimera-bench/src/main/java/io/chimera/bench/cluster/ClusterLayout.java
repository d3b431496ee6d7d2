package io.chimera.bench.cluster;

import io.chimera.common.cluster.JournalGroup;

/**
 * Journal groups and lanes of a cluster.
 *
 * @param isGrouped whether each queue node has a journal group of its own
 * @param queueLanes lanes of each queue node
 * @param processorLanes lanes of each processor
 */
public record ClusterLayout(boolean isGrouped, int queueLanes, int processorLanes) {
    /** One journal group, and nodes of one lane. */
    public static final ClusterLayout PLAIN = new ClusterLayout(false, 1, 1);

    /** A journal group for each queue node. */
    public static final ClusterLayout GROUPED = new ClusterLayout(true, 1, 1);

    /** Returns the layout with another number of lanes of each queue node. */
    public ClusterLayout queueLanes(int other) {
        return new ClusterLayout(isGrouped, other, processorLanes);
    }

    /** Returns the layout with another number of lanes of each processor. */
    public ClusterLayout processorLanes(int other) {
        return new ClusterLayout(isGrouped, queueLanes, other);
    }

    /** Returns the journal group of a queue node. */
    String group(String queueNode) {
        return isGrouped ? queueNode : JournalGroup.DEFAULT.name();
    }
}
