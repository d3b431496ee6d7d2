package io.chimera.coordinator.plan;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.QueueMember;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Registered queue nodes that are not live, and what they mean for an operator. Pure. */
public final class AbsentNodes {
    private AbsentNodes() {}

    /** Returns the ids of the registered queue nodes of a view that are not live. */
    public static List<String> of(ClusterView view) {
        Set<String> live = view.queues().stream().map(QueueMember::id).collect(Collectors.toSet());
        return view.roster().ids().stream().filter(id -> !live.contains(id)).toList();
    }

    /** Returns what to do when no live journal holds the start of the new points of a group, as a sentence. */
    public static String remedyForStart(ClusterView group) {
        List<String> absent = of(group);
        return absent.isEmpty()
                ? "All its queue nodes are live. If one of them was started with an old copy of its data folder, stop"
                        + " that node, empty its node.data_dir, and start it again"
                : "Start the node with this journal: " + String.join(", ", absent);
    }
}
