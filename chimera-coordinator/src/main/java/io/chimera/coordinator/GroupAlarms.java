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
        boolean isSingle = view.groups().size() == 1;
        for (JournalGroup group : view.groups()) {
            ClusterView own = view.in(group);
            String name = isSingle ? "" : "Journal group " + group + ": ";
            if (!isSingle && own.registered() > 0 && own.queues().isEmpty()) {
                alarms.add(name + "none of its " + own.registered() + " queue nodes is live. Its senders get no"
                        + " success, and open cycles with its parts wait. Start "
                        + String.join(", ", own.roster().ids()) + ".");
            }
            copies.alarm(own).ifPresent(alarm -> alarms.add(name + alarm));
        }
        return alarms;
    }
}
