package io.chimera.coordinator.watch;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.coordinator.watch.ClusterEvent.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Finds live nodes that are cut off from the other tier, from the channel reports of queue nodes. Of the two ends of a
 * broken channel, the node that is cut off from the larger share of the other tier is blamed. On a tie the processor is
 * blamed, because moving its shards costs less. Used by the conductor's thread only.
 */
public final class UnreachableNodes {
    private final long graceNs;
    private final long reportedAfterNs;
    private final Consumer<ClusterEvent> events;
    private final Map<Long, Long> sinceNs = new HashMap<>();
    private final Set<Long> reported = new HashSet<>();
    private Set<Long> cutOff = Set.of();

    /**
     * Creates an instance without observations.
     *
     * @param graceNs time after which a node gets no work while other nodes of its tier do
     * @param reportedAfterNs time after which the node is reported; joins, starts and deaths of nodes take less time
     * @param events receives the reports
     */
    public UnreachableNodes(long graceNs, long reportedAfterNs, Consumer<ClusterEvent> events) {
        this.graceNs = graceNs;
        this.reportedAfterNs = reportedAfterNs;
        this.events = events;
    }

    /** Updates the unreachable nodes from a view. */
    public void look(ClusterView view, long nowNs) {
        Set<Long> blamed = blamed(view);
        sinceNs.keySet().retainAll(blamed);
        blamed.forEach(session -> sinceNs.putIfAbsent(session, nowNs));
        Set<Long> now = sinceNs.entrySet().stream()
                .filter(since -> nowNs - since.getValue() >= graceNs)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        if (!now.isEmpty()) {
            keepWholeGroups(view, now);
        }
        cutOff = now;
        report(view, nowNs);
    }

    /** When all nodes of a tier, or of a group, are unreachable, moving work within the tier or group gains nothing. */
    private static void keepWholeGroups(ClusterView view, Set<Long> now) {
        view.queues().stream()
                .collect(Collectors.groupingBy(
                        QueueMember::group, Collectors.mapping(QueueMember::session, Collectors.toSet())))
                .values()
                .forEach(group -> keepUnlessAll(now, group));
        keepUnlessAll(
                now, view.processors().stream().map(ProcessorMember::session).collect(Collectors.toSet()));
    }

    private void report(ClusterView view, long nowNs) {
        for (long session : cutOff) {
            long lastedNs = nowNs - sinceNs.getOrDefault(session, nowNs);
            if (lastedNs >= reportedAfterNs && reported.add(session)) {
                event(
                        view,
                        Kind.UNREACHABLE,
                        session,
                        "for_s=" + TimeUnit.NANOSECONDS.toSeconds(lastedNs)
                                + ". Other nodes do its work. Check its network, firewalls and node.host");
            }
        }
        for (long session : List.copyOf(reported)) {
            if (!cutOff.contains(session)) {
                reported.remove(session);
                event(view, Kind.REACHABLE, session, "");
            }
        }
    }

    /** Emits an event of a live node; the end of a node has its own event. */
    private void event(ClusterView view, Kind kind, long session, String facts) {
        view.queue(session)
                .map(queue -> new ClusterEvent(kind, new NodeName("queue", queue.id()), List.of(), 0, 0, facts))
                .or(() -> view.processor(session)
                        .map(processor -> new ClusterEvent(
                                kind, new NodeName("processor", processor.id()), List.of(), 0, 0, facts)))
                .ifPresent(events);
    }

    private static void keepUnlessAll(Set<Long> sessions, Set<Long> tier) {
        if (sessions.containsAll(tier)) {
            sessions.removeAll(tier);
        }
    }

    private static Set<Long> blamed(ClusterView view) {
        if (view.queues().stream().allMatch(queue -> queue.unreachable().isEmpty())) {
            return Set.of();
        }
        Map<Long, List<QueueMember>> reporters = new HashMap<>();
        Map<Long, Long> lost = new HashMap<>();
        for (QueueMember queue : view.queues()) {
            for (long session : Set.copyOf(queue.unreachable())) {
                if (view.processor(session).isPresent()) {
                    reporters.computeIfAbsent(session, key -> new ArrayList<>()).add(queue);
                    lost.merge(queue.session(), 1L, Long::sum);
                }
            }
        }
        long queues = view.queues().size();
        long processors = view.processors().size();
        Set<Long> blamed = new HashSet<>();
        reporters.forEach((processor, reporting) -> reporting.forEach(queue -> {
            // reporters / queues compared with lost / processors
            boolean isProcessor = reporting.size() * processors >= lost.getOrDefault(queue.session(), 0L) * queues;
            blamed.add(isProcessor ? processor : queue.session());
        }));
        return blamed;
    }

    /** Returns whether a live session is cut off for longer than the grace, while other nodes of its tier are not. */
    public boolean isCutOff(long session) {
        return cutOff.contains(session);
    }

    /** Returns the queue nodes that are not cut off; all queue nodes of a group when all of them are. */
    public List<QueueMember> reachableByGroup(List<QueueMember> queues) {
        Set<JournalGroup> reachable = queues.stream()
                .filter(member -> !isCutOff(member.session()))
                .map(QueueMember::group)
                .collect(Collectors.toSet());
        return queues.stream()
                .filter(member -> !isCutOff(member.session()) || !reachable.contains(member.group()))
                .toList();
    }

    /** Returns the members that are not cut off, or all members when all are: some node must do the work. */
    public <M> List<M> reachable(List<M> members, ToLongFunction<M> session) {
        List<M> reachable = members.stream()
                .filter(member -> !isCutOff(session.applyAsLong(member)))
                .toList();
        return reachable.isEmpty() ? members : reachable;
    }
}
