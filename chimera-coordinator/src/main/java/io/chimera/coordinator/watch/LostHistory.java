package io.chimera.coordinator.watch;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ControlMark;
import io.chimera.common.cluster.ControlMark.Standing;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that ZooKeeper's tree lacks cycles known to queue nodes or to this coordinator, because its data was lost or
 * an old backup was restored. A cycle begun on such a tree would reuse numbers and count points twice. Used by the
 * conductor's thread only.
 */
public final class LostHistory {
    private static final Logger LOG = LoggerFactory.getLogger(LostHistory.class);

    private final long graceNs;

    /** Revision of the newest view of a current tree. */
    private long soundRevision = -1;

    private volatile String recovery = "";
    private ControlMark seen = ControlMark.NONE;
    private List<String> group = List.of();
    private long sinceNs;
    private String reason = "";

    /**
     * Creates an instance without observations.
     *
     * @param graceNs time for a view to catch up with the announcements of members
     */
    public LostHistory(long graceNs) {
        this.graceNs = graceNs;
    }

    /** Returns whether the tree lacks known cycles; the conductor then writes nothing. */
    public boolean isLost(ClusterView view, long nowNs) {
        if (view.revision() == soundRevision) {
            return false;
        }
        Optional<String> found = find(view);
        if (found.isPresent()) {
            sinceNs = reason.isEmpty() ? nowNs : sinceNs;
            reason = found.get();
            soundRevision = -1;
        } else {
            reason = "";
            group = view.roster().ids();
            seen = ControlMark.of(view.low().history(), view.low().cycle(), view.newest());
            soundRevision = view.revision();
        }
        publish(view, nowNs);
        return found.isPresent();
    }

    /** Publishes the reason after the grace time. */
    private void publish(ClusterView view, long nowNs) {
        String lasting = nowNs - sinceNs >= graceNs ? reason : "";
        if (lasting.isEmpty() && !recovery.isEmpty()) {
            LOG.info(
                    "Tree recovered: lastCycle={} open={}.",
                    view.newest(),
                    view.cycles().size());
        }
        recovery = lasting;
    }

    /** Returns why the tree must be recovered, with the command; empty when the tree is current. Any thread. */
    public String recovery() {
        return recovery;
    }

    /**
     * Returns the view without queue nodes of another history: their journals hold points that the other history has
     * counted. While the tree has no cycle, the history of the queue nodes is the lost one.
     */
    public static ClusterView ofOneHistory(ClusterView view) {
        List<QueueMember> ours = view.queues().stream()
                .filter(member -> member.kept().of(view) != Standing.FOREIGN)
                .toList();
        return ours.size() == view.queues().size() ? view : view.with(ours);
    }

    private Optional<String> find(ClusterView view) {
        return members(view).or(() -> own(view));
    }

    /**
     * Compares the tree with this coordinator's own memory. The memory counts until all queue nodes known from it have
     * announced their copies.
     */
    private Optional<String> own(ClusterView view) {
        if (seen.of(view) == Standing.CURRENT) {
            return Optional.empty();
        }
        Set<String> live = view.queues().stream().map(QueueMember::id).collect(Collectors.toSet());
        List<String> silent = group.stream().filter(id -> !live.contains(id)).toList();
        return silent.isEmpty()
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
        Positions cut = view.low().cut();
        return member.bases().since(cut).stream()
                .anyMatch(deleted -> cut.names(deleted.stream()) || view.newest() == 0);
    }

    private static String text(ClusterView view, String known) {
        return "ZooKeeper's data was lost or is older than the cluster: the tree ends with cycle " + view.newest()
                + ", but " + known + ". Rebuild the tree from the control copies of the queue nodes: chimera cluster"
                + " recover";
    }
}
