package io.chimera.coordinator;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.coordinator.plan.Cuts;
import io.chimera.coordinator.plan.DeadNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Alarms about the journal groups of a cluster, for the operator. Pure. */
final class GroupAlarms {
    private GroupAlarms() {}

    /**
     * Returns an alarm for each group without a live queue node, without the start of its new points, with fewer queue
     * nodes than copies, or with reduced replication; empty if none. The only group of a cluster may begin with fewer
     * queue nodes than copies, so the group needs a lost journal for this alarm: a removed node is such a loss.
     */
    static List<String> of(ClusterView view, ReplicationPolicy copies) {
        List<String> alarms = new ArrayList<>();
        if (!view.roster().unknown().isEmpty()) {
            alarms.add("The journal group of queue node "
                    + String.join(", ", view.roster().unknown())
                    + " is unknown, because the znode group/<id> is unreadable. Every group counts the node, so senders"
                    + " may wait and no stream ends. Restart the node: the start writes the znode again.");
        }
        boolean isSingle = view.groups().size() == 1;
        boolean isSingleBase =
                view.groups().stream().map(JournalGroup::base).distinct().count() == 1;
        for (JournalGroup group : view.groups()) {
            ClusterView own = view.in(group);
            String name = isSingle ? "" : "Journal group " + group + ": ";
            boolean isLaneOfAbsent =
                    group.laneNumber() > 0 && view.in(group.base()).queues().isEmpty();
            if (!isSingle && own.members() > 0 && own.queues().isEmpty() && !isLaneOfAbsent) {
                alarms.add(name + "none of its " + own.members() + " queue nodes is live. Its senders get no"
                        + " success, and open cycles with its parts wait. Start "
                        + String.join(", ", own.deadNodes())
                        + (isSingleBase ? "." : ", or remove them from the cluster (chimera cluster remove)."));
            }
            boolean hasLost = own.journals().losses().of(group) > 0;
            if (group.laneNumber() == 0 && (!isSingleBase || hasLost)) {
                copies.shortage(own.members())
                        .ifPresent(shortage -> alarms.add("Journal group " + group + ": it has " + shortage + ". "
                                + remedyForShortage(group, own, hasLost)));
            }
            if (!own.queues().isEmpty() && hasLostStart(own, copies)) {
                alarms.add(name + "no live journal holds the start of its new points, so they wait. "
                        + DeadNodes.remedyForStart(own) + ".");
            }
            List<String> lacking = view.roster().lacking(group);
            if (!lacking.isEmpty() && !own.queues().isEmpty()) {
                alarms.add(name + "queue node " + String.join(", ", lacking) + " has no lane " + group.laneNumber()
                        + ". Senders of this lane wait if too few journals are left for queue.acks. Set the same"
                        + " queue.lanes on all queue nodes of the group.");
            } else {
                copies.alarm(own).ifPresent(alarm -> alarms.add(name + alarm));
            }
        }
        return alarms;
    }

    /** A group that has lost a journal probably had queue nodes before, so its name is hardly a mistake. */
    private static String remedyForShortage(JournalGroup group, ClusterView own, boolean hasLost) {
        return hasLost
                ? "Start another queue node with queue.group: " + group + " and an empty node.data_dir."
                : "Start more queue nodes with queue.group: " + group + ". If the name is a mistake, remove "
                        + String.join(", ", own.roster().ids())
                        + " with chimera cluster remove, then start again with the right queue.group and an empty"
                        + " node.data_dir.";
    }

    private static boolean hasLostStart(ClusterView group, ReplicationPolicy copies) {
        Positions cut = Cuts.furthest(group, copies, Set.of());
        return cut.recordsSince(group.lastCut()) > 0 && !Cuts.hasStart(group, cut);
    }
}
