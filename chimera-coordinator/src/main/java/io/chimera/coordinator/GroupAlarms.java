package io.chimera.coordinator;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import java.util.ArrayList;
import java.util.List;

/** Alarms about the journal groups of a cluster, for the operator. Pure. */
final class GroupAlarms {
    private GroupAlarms() {}

    /** Returns an alarm for each group without a live queue node, or with reduced replication; empty if none. */
    static List<String> of(ClusterView view, ReplicationPolicy copies) {
        List<String> alarms = new ArrayList<>();
        if (!view.roster().unknown().isEmpty()) {
            alarms.add("The journal group of queue node "
                    + String.join(", ", view.roster().unknown())
                    + " is unknown, because the znode group/<id> is unreadable. Every group counts the node, so senders"
                    + " may wait and no stream ends. Restart the node: the start writes the znode again.");
        }
        boolean isSingle = view.groups().size() == 1;
        for (JournalGroup group : view.groups()) {
            ClusterView own = view.in(group);
            String name = isSingle ? "" : "Journal group " + group + ": ";
            if (!isSingle && own.members() > 0 && own.queues().isEmpty()) {
                alarms.add(name + "none of its " + own.members() + " queue nodes is live. Its senders get no"
                        + " success, and open cycles with its parts wait. Start "
                        + String.join(", ", own.roster().ids()) + ".");
            }
            List<String> lacking = view.roster().lacking(group);
            if (!lacking.isEmpty() && !own.queues().isEmpty()) {
                alarms.add(name + "queue node " + String.join(", ", lacking) + " has no lane " + group.laneNumber()
                        + ". Senders of this lane wait if too few journals are left for queue.acks. Set the same"
                        + " queue.lanes on all queue nodes of the group.");
            }
            copies.alarm(own).ifPresent(alarm -> alarms.add(name + alarm));
        }
        return alarms;
    }
}
