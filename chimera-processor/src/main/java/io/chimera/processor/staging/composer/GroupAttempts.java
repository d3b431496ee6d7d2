package io.chimera.processor.staging.composer;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.QueueMember;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Selects the queue node of each journal group to ask for past cycles. Every group has its own counter, and only a
 * failed answer of its own node moves the counter: so each group finds its able node, whatever the nodes of other
 * groups do. The composer's thread.
 */
final class GroupAttempts {
    private final Map<JournalGroup, Integer> attempts = new HashMap<>();

    /** Groups of the nodes of the latest request, by session. */
    private final Map<Long, JournalGroup> asked = new HashMap<>();

    /** Returns one queue node per group that announces a past cycle, as sessions in the order of the groups. */
    List<Long> select(ClusterView view, long cycle) {
        Map<JournalGroup, List<QueueMember>> holders = view.queues().stream()
                .filter(member -> member.holdsPast(cycle))
                .collect(Collectors.groupingBy(QueueMember::group, TreeMap::new, Collectors.toList()));
        asked.clear();
        List<Long> sessions = new ArrayList<>();
        holders.forEach((group, members) -> {
            int attempt = attempts.getOrDefault(group, 0);
            long session = members.get(attempt % members.size()).session();
            asked.put(session, group);
            sessions.add(session);
        });
        return sessions;
    }

    /** Moves the groups of nodes that failed to answer the latest request to their next node. */
    void onFailed(Collection<Long> sessions) {
        for (Long session : sessions) {
            JournalGroup group = asked.remove(session);
            if (group != null) {
                attempts.merge(group, 1, Integer::sum);
            }
        }
    }

    /** Moves all groups to their next node, except the groups of the given sessions. */
    void onSilent(Collection<Long> settled) {
        onFailed(asked.keySet().stream()
                .filter(session -> !settled.contains(session))
                .toList());
    }
}
