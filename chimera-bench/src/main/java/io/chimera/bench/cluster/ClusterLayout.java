package io.chimera.bench.cluster;

import io.chimera.common.cluster.JournalGroup;

/**
 * Nodes of a cluster, with their journal groups and lanes.
 *
 * @param isShared whether the coordinator shares the process of the first queue node
 * @param queueNodes number of queue nodes
 * @param processors number of processors
 * @param isGrouped whether each queue node has a journal group of its own
 * @param queueLanes lanes of each queue node
 * @param processorLanes lanes of each processor
 */
public record ClusterLayout(
        boolean isShared, int queueNodes, int processors, boolean isGrouped, int queueLanes, int processorLanes) {
    /** Returns a layout with one journal group, nodes of one lane, and a process for the coordinator. */
    public static ClusterLayout of(int queueNodes, int processors) {
        return new ClusterLayout(false, queueNodes, processors, false, 1, 1);
    }

    /** Returns the layout with the coordinator in the process of the first queue node. */
    public ClusterLayout shared() {
        return new ClusterLayout(true, queueNodes, processors, isGrouped, queueLanes, processorLanes);
    }

    /** Returns the layout with a journal group for each queue node. */
    public ClusterLayout grouped() {
        return new ClusterLayout(isShared, queueNodes, processors, true, queueLanes, processorLanes);
    }

    /** Returns the layout with another number of lanes of each queue node. */
    public ClusterLayout queueLanes(int other) {
        return new ClusterLayout(isShared, queueNodes, processors, isGrouped, other, processorLanes);
    }

    /** Returns the layout with another number of lanes of each processor. */
    public ClusterLayout processorLanes(int other) {
        return new ClusterLayout(isShared, queueNodes, processors, isGrouped, queueLanes, other);
    }

    /** Returns the journal group of a queue node. */
    String group(String queueNode) {
        return isGrouped ? queueNode : JournalGroup.DEFAULT.name();
    }
}
