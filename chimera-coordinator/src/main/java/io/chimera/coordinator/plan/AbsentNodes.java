package io.chimera.coordinator.plan;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.identity.LaneId;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Registered queue nodes that are not live, and what they mean for an operator. Pure. */
public final class AbsentNodes {
    private AbsentNodes() {}

    /** Returns the ids of the nodes to start: registered queue nodes of a view with a lane that is not live. */
    public static List<String> of(ClusterView view) {
        Set<String> live = view.queues().stream().map(QueueMember::id).collect(Collectors.toSet());
        return view.roster().ids().stream()
                .filter(id -> !live.contains(id))
                .map(LaneId::nodeOf)
                .distinct()
                .toList();
    }

    /** Returns what to do when no live journal holds the start of the new points of a group, as a sentence. */
    public static String remedyForStart(ClusterView group) {
        List<String> absent = of(group);
        return absent.isEmpty()
                ? "All its queue nodes are live. If one of them was started with an old copy of its data folder, stop"
                        + " that node, move its node.data_dir away, and start it again; the points that it accepted"
                        + " since the start with the copy are given up"
                : "Start the node with this journal: " + String.join(", ", absent);
    }
}
