package io.chimera.apps.node;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.queue.QueueIdentity;
import io.chimera.queue.QueueNode;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drains a queue node. A node that leaves for good removes itself from the replication group as soon as other nodes
 * hold copies of its journal, so that the cluster does not wait for its journal. One thread, except {@link #begin}.
 */
final class QueueLeave {
    private static final Logger LOG = LoggerFactory.getLogger(QueueLeave.class);

    private final QueueIdentity self;
    private final QueueNode node;
    private final NodeLinks links;
    private volatile boolean isForGood;
    private boolean isRemoved;
    private boolean hasWarned;

    QueueLeave(QueueIdentity self, QueueNode node, NodeLinks links) {
        this.self = self;
        this.node = node;
        this.links = links;
    }

    void begin(boolean forGood) {
        if (forGood && isAlone()) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Queue node " + self.id()
                            + " is the only one that lives: its points would be lost with it. Start another"
                            + " one first.");
        }
        isForGood |= forGood;
        node.leave();
    }

    private boolean isAlone() {
        return links.cluster().view().queues().stream().allMatch(member -> member.session() == self.session());
    }

    /** Returns the reason why the drain has not finished; empty once the node may stop. */
    Optional<String> awaits() {
        Optional<String> awaited = node.awaits();
        if (awaited.isPresent() || isRemoved) {
            return awaited;
        }
        if (!isForGood) {
            warnOfPointsLeftBehind();
            return awaited;
        }
        if (!node.isCopied()) {
            return Optional.of("another queue node to copy its journal");
        }
        try {
            links.session().unregister(self.id());
        } catch (ChimeraException e) {
            return Optional.of("ZooKeeper, which does not take it out of the group: " + e.getMessage());
        }
        isRemoved = true;
        return Optional.empty();
    }

    private void warnOfPointsLeftBehind() {
        if (!node.isCopied() && !hasWarned) {
            hasWarned = true;
            LOG.warn(
                    "Stops with data points that no other queue node holds and that are not stored: node={}. They are stored"
                            + " when this node starts again with its data folder; keep it.",
                    self.id());
        }
    }
}
