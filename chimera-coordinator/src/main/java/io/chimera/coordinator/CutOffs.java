package io.chimera.coordinator;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which live nodes are cut off from the others, by what queue nodes report of their channels. Of the two ends of a broken
 * channel the one is to blame that is cut off from the larger share of the other tier; between equals the processor, for
 * its shards are less work to give away. Owned by the conductor.
 */
final class CutOffs {
    private static final Logger LOG = LoggerFactory.getLogger(CutOffs.class);

    private final long graceNs;
    private final Map<Long, Long> sinceNs = new HashMap<>();
    private Set<Long> cutOff = Set.of();

    CutOffs(long graceNs) {
        this.graceNs = graceNs;
    }

    /** Notes what a view shows. */
    void look(ClusterView view, long nowNs) {
        Set<Long> blamed = blamed(view);
        sinceNs.keySet().retainAll(blamed);
        blamed.forEach(session -> sinceNs.putIfAbsent(session, nowNs));
        Set<Long> now = sinceNs.entrySet().stream()
                .filter(since -> nowNs - since.getValue() >= graceNs)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        // Where nobody of a tier is reached, its work is as well done by those who have it.
        keepUnlessAll(now, view.queues().stream().map(QueueMember::session).collect(Collectors.toSet()));
        keepUnlessAll(
                now, view.processors().stream().map(ProcessorMember::session).collect(Collectors.toSet()));
        if (!now.equals(cutOff)) {
            now.stream().filter(session -> !cutOff.contains(session)).forEach(session -> warn(view, session));
            cutOff = now;
        }
    }

    private static void keepUnlessAll(Set<Long> sessions, Set<Long> tier) {
        if (sessions.containsAll(tier)) {
            sessions.removeAll(tier);
        }
    }

    private static void warn(ClusterView view, long session) {
        String name = view.queue(session)
                .map(queue -> "Queue node " + queue.id())
                .or(() -> view.processor(session).map(processor -> "Processor " + processor.id()))
                .orElse(Long.toHexString(session));
        LOG.warn(
                "{} lives but has no channel to the others; it gets no work while others do. See to its network.",
                name);
    }

    private static Set<Long> blamed(ClusterView view) {
        if (view.queues().stream().allMatch(queue -> queue.unreachable().isEmpty())) {
            return Set.of();
        }
        Set<Long> blamed = new HashSet<>();
        for (ProcessorMember processor : view.processors()) {
            List<QueueMember> reporters = view.queues().stream()
                    .filter(queue -> queue.unreachable().contains(processor.session()))
                    .toList();
            long queues = view.queues().size();
            long processors = view.processors().size();
            for (QueueMember queue : reporters) {
                long lost = view.processors().stream()
                        .filter(other -> queue.unreachable().contains(other.session()))
                        .count();
                // reporters / queues against lost / processors
                boolean isProcessor = reporters.size() * processors >= lost * queues;
                blamed.add(isProcessor ? processor.session() : queue.session());
            }
        }
        return blamed;
    }

    /** Whether a live session is cut off for longer than the grace, while others of its tier are not. */
    boolean isCutOff(long session) {
        return cutOff.contains(session);
    }

    /** Those of a list that are not cut off, or all of it when all are: somebody must do the work. */
    <M> List<M> reachable(List<M> members, ToLongFunction<M> session) {
        List<M> reachable = members.stream()
                .filter(member -> !isCutOff(session.applyAsLong(member)))
                .toList();
        return reachable.isEmpty() ? members : reachable;
    }

    /** Begins anew. */
    void forget() {
        sinceNs.clear();
        cutOff = Set.of();
    }
}
