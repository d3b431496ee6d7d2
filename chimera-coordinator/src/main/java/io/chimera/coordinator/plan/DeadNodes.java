package io.chimera.coordinator.plan;

import io.chimera.common.cluster.ClusterView;
import java.util.List;

/** Remedies for dead queue nodes, as texts for an operator. Pure. */
public final class DeadNodes {
    private DeadNodes() {}

    /** Returns what to do when no live journal holds the start of the new points of a group, as a sentence. */
    public static String remedyForStart(ClusterView group) {
        List<String> dead = group.deadNodes();
        return dead.isEmpty()
                ? "All its queue nodes are live. If one of them was started with an old copy of its data folder, stop"
                        + " that node, move its node.data_dir away, and start it again; the points that it accepted"
                        + " since the start with the copy are given up"
                : "Start the node with this journal: " + String.join(", ", dead);
    }
}
