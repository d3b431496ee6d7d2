package io.chimera.coordinator.plan;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.QueueMember;
import java.util.HashMap;
import java.util.Map;

/** Numbers of queue nodes of each journal group, found in one pass over a view. Used by the conductor's thread only. */
final class GroupSizes {
    /** Number of registered nodes whose group is unknown; counted in every group. */
    private final int unknown;

    private final Map<JournalGroup, Integer> registered = new HashMap<>();
    private final Map<JournalGroup, Integer> nodes = new HashMap<>();
    private final Map<JournalGroup, Integer> live = new HashMap<>();
    private final Map<JournalGroup, Integer> staying = new HashMap<>();

    private GroupSizes(int unknown) {
        this.unknown = unknown;
    }

    static GroupSizes of(ClusterView view) {
        GroupSizes sizes = new GroupSizes(view.roster().unknown().size());
        if (view.isDefaultGroup()) {
            sizes.registered.put(JournalGroup.DEFAULT, view.registered() - sizes.unknown);
        } else {
            view.roster().groups().values().forEach(group -> sizes.registered.merge(group, 1, Integer::sum));
        }
        sizes.registered.forEach((group, count) -> sizes.nodes.merge(group.base(), count, Math::max));
        for (QueueMember member : view.queues()) {
            sizes.live.merge(member.group(), 1, Integer::sum);
            sizes.staying.merge(member.group(), member.leaving() ? 0 : 1, Integer::sum);
        }
        return sizes;
    }

    /**
     * Returns the number of queue nodes that decides the number of copies, as in {@link ClusterView#registered} of the
     * view of a group: 0 for a group without a registered member, if no registration is unreadable.
     */
    int nodes(JournalGroup group) {
        return registered(group) == 0 ? 0 : nodes.getOrDefault(group.base(), 0) + unknown;
    }

    /** Returns the number of registered members, live or not. */
    int registered(JournalGroup group) {
        return registered.getOrDefault(group, 0) + unknown;
    }

    /** Returns the number of live queue nodes. */
    int live(JournalGroup group) {
        return live.getOrDefault(group, 0);
    }

    /**
     * Returns whether all registered members are live. A draining node may no longer be registered, so the count of
     * live nodes excludes draining nodes.
     */
    boolean isWhole(JournalGroup group) {
        int present = staying.getOrDefault(group, 0);
        return present > 0 && present >= registered(group);
    }
}
