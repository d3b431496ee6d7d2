package io.chimera.faults.chaos.cluster;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.error.ChimeraException;
import io.chimera.node.cluster.ClusterLink;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Waits after the loss of a disk until all journals of a group hold its points again. The guarantee covers the loss of
 * one disk of a group; a second loss before the end of the copy would destroy the only copy of a point. One thread.
 */
public final class JournalCopies {
    private static final long LOOK_MS = 100;

    private final ChaosCluster cluster;

    /** Creates the wait for a cluster. */
    public JournalCopies(ChaosCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Waits until each lane of each queue node is a member, and holds the records that its group holds at the first
     * such moment.
     *
     * @return false on a time-out
     */
    public boolean await(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        int lanes = cluster.hosts(Role.QUEUE).stream()
                .mapToInt(host -> cluster.laneFolders(host).size())
                .sum();
        boolean isCopied = false;
        while (!isCopied && System.nanoTime() - deadline < 0) {
            try (ClusterLink link = ClusterLink.open(cluster.configuration().coordinator(), "copies")) {
                isCopied = await(link, lanes, deadline);
            } catch (ChimeraException e) {
                Thread.sleep(LOOK_MS); // ZooKeeper did not answer in time
            }
        }
        return isCopied;
    }

    private static boolean await(ClusterLink link, int lanes, long deadline) throws InterruptedException {
        Map<JournalGroup, Positions> wanted = Map.of();
        while (System.nanoTime() - deadline < 0) {
            ClusterView view = link.view();
            if (view.queues().size() == lanes) {
                wanted = wanted.isEmpty() ? newest(view) : wanted;
                if (isCopied(view, wanted)) {
                    return true;
                }
            }
            Thread.sleep(LOOK_MS);
        }
        return false;
    }

    /** Returns the highest positions in the journals of each group. */
    static Map<JournalGroup, Positions> newest(ClusterView view) {
        Map<JournalGroup, Positions> newest = new TreeMap<>();
        view.queues().forEach(member -> newest.merge(member.group(), member.positions(), Positions::max));
        return newest;
    }

    /** Returns whether each journal has the wanted records of its group that are not in a verified cycle. */
    static boolean isCopied(ClusterView view, Map<JournalGroup, Positions> wanted) {
        return view.queues().stream().allMatch(member -> isCopied(member, view, wanted));
    }

    private static boolean isCopied(QueueMember member, ClusterView view, Map<JournalGroup, Positions> wanted) {
        Positions held = member.positions().max(view.low().cut());
        return held.covers(wanted.getOrDefault(member.group(), Positions.NONE));
    }
}
