package io.chimera.coordinator;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ControlMark;
import io.chimera.common.cluster.ControlMark.Standing;
import io.chimera.common.cluster.QueueMember;
import java.util.List;
import java.util.Optional;

/**
 * Detects that ZooKeeper's tree lacks cycles known to queue nodes or to this coordinator, because its data was lost or
 * an old backup was restored. A cycle begun on such a tree would reuse numbers and count points twice. Used by the
 * conductor's thread only.
 */
final class LostHistory {
    private final long graceNs;
    private ControlMark seen = ControlMark.NONE;
    private List<String> group = List.of();
    private long sinceNs;
    private String reason = "";

    /**
     * Creates an instance without observations.
     *
     * @param graceNs time for a view to catch up with the announcements of members
     */
    LostHistory(long graceNs) {
        this.graceNs = graceNs;
    }

    /**
     * Compares a tree with the knowledge of members and of this coordinator.
     *
     * @return why the conductor must not write; empty when the tree is current
     */
    Optional<String> look(ClusterView view, long nowNs) {
        Optional<String> found = members(view).or(() -> own(view));
        if (found.isEmpty()) {
            reason = "";
            group = view.group();
            seen = ControlMark.of(view.low().history(), view.low().cycle(), view.newest());
        } else {
            sinceNs = reason.isEmpty() ? nowNs : sinceNs;
            reason = found.get();
        }
        return found;
    }

    /** Returns the reason after the grace time; empty before. */
    String lasting(long nowNs) {
        return nowNs - sinceNs >= graceNs ? reason : "";
    }

    /**
     * Returns the view without queue nodes of another history: their journals hold points that the other history has
     * counted. While the tree has no cycle, the history of the queue nodes is the lost one.
     */
    static ClusterView ofOneHistory(ClusterView view) {
        List<QueueMember> ours = view.queues().stream()
                .filter(member -> member.kept().of(view) != Standing.FOREIGN)
                .toList();
        return ours.size() == view.queues().size() ? view : view.with(ours);
    }

    /**
     * Compares the tree with this coordinator's own memory. The memory counts until all queue nodes known from it have
     * announced their copies.
     */
    private Optional<String> own(ClusterView view) {
        List<String> silent = group.stream()
                .filter(id ->
                        view.queues().stream().noneMatch(member -> member.id().equals(id)))
                .toList();
        return seen.of(view) == Standing.CURRENT || silent.isEmpty()
                ? Optional.empty()
                : Optional.of(text(
                        view,
                        "this coordinator has seen cycle " + seen.newest() + ", and " + String.join(", ", silent)
                                + " may have a control copy"));
    }

    private static Optional<String> members(ClusterView view) {
        for (QueueMember member : view.queues()) {
            Standing standing = member.kept().of(view);
            boolean isLost = standing == Standing.BEHIND || (standing == Standing.FOREIGN && view.newest() == 0);
            if (isLost) {
                return Optional.of(text(
                        view,
                        "queue node " + member.id() + " has a control copy with cycle "
                                + member.kept().newest()));
            }
            if (member.kept().isEmpty() && letGoBeyond(member, view)) {
                return Optional.of(
                        text(view, "the journal of queue node " + member.id() + " has a later low-water mark"));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns whether a journal deleted records beyond the cut of the tree's low-water mark. Only the journal may know
     * a finished stream.
     */
    private static boolean letGoBeyond(QueueMember member, ClusterView view) {
        return member.bases().entrySet().stream().anyMatch(base -> {
            Long cut = view.low().cut().get(base.getKey());
            return cut == null ? base.getValue() > 0 && view.newest() == 0 : base.getValue() > cut;
        });
    }

    private static String text(ClusterView view, String known) {
        return "ZooKeeper's data was lost or is older than the cluster: the tree ends with cycle " + view.newest()
                + ", but " + known + ". Rebuild the tree from the control copies of the queue nodes: chimera cluster"
                + " recover";
    }
}
