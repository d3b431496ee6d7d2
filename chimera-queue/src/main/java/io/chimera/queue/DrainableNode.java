package io.chimera.queue;

import io.chimera.common.cluster.JournalLosses;
import java.util.Optional;

/** Queue node as its drain sees the node: asked to leave once, then polled. Any thread unless noted. */
public interface DrainableNode {
    /** Starts the drain: the node gets no parts of later cycles, finishes its present parts, then closes its inputs. */
    void leave();

    /**
     * After {@link #leave}: reason why the drain has not finished, phrased to complete "waits for …"; empty once the
     * node may stop.
     */
    Optional<String> awaits();

    /**
     * After {@link #leave}: whether other queue nodes hold all needed records, so that the journal may be deleted with
     * the node.
     */
    boolean isCopied();

    /** Returns whether this node has records outside the verified cycles that it knows. */
    boolean hasOpenRecords();

    /**
     * After {@link #leave}: whether queue nodes that stay hold all needed records at this moment, so that the node may
     * be removed from the cluster.
     */
    boolean isRemovable();

    /**
     * Returns the losses of journals as the node sees them. A removal that {@link #isRemovable} permits afterwards is
     * permitted as long as there is no further loss.
     */
    JournalLosses losses();

    /**
     * Ends the note that lets a start of this node acknowledge points alone. The node writes no such note afterwards.
     * Polled by one thread.
     *
     * @return progress of the write; {@link RemovalNote#OVERDUE} after a time limit, while the write is retried
     */
    RemovalNote noteRemoval();
}
