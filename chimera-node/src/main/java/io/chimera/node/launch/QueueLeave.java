package io.chimera.node.launch;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.JournalLosses;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.Roster;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.queue.DrainableNode;
import io.chimera.queue.QueueIdentity;
import io.chimera.queue.RemovalNote;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drains a lane of a queue node. A lane that leaves for good removes itself from its journal group as soon as other
 * nodes hold copies of its journal, so that the cluster does not wait for its journal. One thread polls {@link
 * #awaits}; other methods: any thread.
 *
 * <pre>
 * from          event                                                        to
 * STAYS         a drain is requested                                         DRAINS
 * STAYS         a removal is requested                                       LEAVES
 * DRAINS        a removal is requested                                       LEAVES
 * DRAINS        the drain has finished                                       DRAINED
 * DRAINED       a removal is requested                                       LEAVES
 * LEAVES        the drain has finished, the note of the removal is durable,
 *               and ZooKeeper has removed the lane                           REMOVED
 * LEAVES        the drain has finished, and a lane without a session is not
 *               registered                                                   UNREGISTERED
 * LEAVES        the drain has finished, and another process has the id       REPLACED
 * UNREGISTERED  the note is durable, or its time limit is over               REMOVED
 * </pre>
 *
 * <p>The note precedes the removal, so that no folder of a removed lane lets a later start acknowledge points alone.
 * While the disk refuses the note, the lane stays registered.
 */
final class QueueLeave {
    private static final Logger LOG = LoggerFactory.getLogger(QueueLeave.class);

    /** Two nodes that leave together wait for each other: neither may count on the journal of the other. */
    private static final String NO_OTHER_STAYS =
            ", but no other queue node of its group stays: restart one of those that leave, or start another one";

    private static final String NOTE = "the note of the removal in its journal folder (journal/identity.json)";

    private final String process;
    private final QueueIdentity self;
    private final DrainableNode node;
    private final Supplier<ClusterView> view;
    private final BiConsumer<String, JournalLosses> unregister;
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.STAYS);
    private volatile String awaited = "";

    /** Whether the log has the overdue note; polling thread. */
    private boolean isOverdueLogged;

    /** Stage of the lane. */
    private enum Stage {
        STAYS,

        /** The lane drains, and keeps its registration. */
        DRAINS,

        /** The lane drains, and is removed afterwards. */
        LEAVES,

        /** The lane may stop, and returns with its journal. */
        DRAINED,

        /** An operator has removed the lane: only the note in its folder is missing. */
        UNREGISTERED,

        /** The lane is not registered any more, and may stop. */
        REMOVED,

        /** The registration belongs to another process. */
        REPLACED;

        private Stage requested(boolean isForGood) {
            return switch (this) {
                case STAYS -> isForGood ? LEAVES : DRAINS;
                case DRAINS, DRAINED -> isForGood ? LEAVES : this;
                case LEAVES, UNREGISTERED, REMOVED, REPLACED -> this;
            };
        }
    }

    /** Outcomes of a drain whose lane has open points that no other node may have, each with its warning. */
    private enum OpenPoints {
        ONLY_HERE(
                "Stopping with data points that are neither stored nor copied to another queue node: node={}. Keep the"
                        + " data folder; a restart of the node stores them."),
        ONLY_HERE_UNACCEPTED(
                "Stopping with data points that are neither stored nor copied to another queue node: node={}. Keep the"
                        + " data folder; the cluster has not accepted this start."),
        UNKNOWN("Stopping without ZooKeeper, so the node does not know whether its data points are stored or copied:"
                + " node={}. Keep the data folder; a restart of the node stores them."),
        UNKNOWN_UNACCEPTED(
                "Stopping without ZooKeeper, so the node does not know whether its data points are stored or copied:"
                        + " node={}. Keep the data folder; the cluster has not accepted this start.");

        private final String warning;

        OpenPoints(String warning) {
            this.warning = warning;
        }

        private static OpenPoints of(boolean isConnected, boolean isAccepted) {
            if (isConnected) {
                return isAccepted ? ONLY_HERE : ONLY_HERE_UNACCEPTED;
            }
            return isAccepted ? UNKNOWN : UNKNOWN_UNACCEPTED;
        }
    }

    /**
     * Creates the drain of a lane.
     *
     * @param process id of the node, of which the lane is a part
     * @param self the lane
     * @param node drains the lane
     * @param view returns the newest view of the cluster
     * @param unregister removes a queue node from its group by its id and the losses that permit it; throws a {@link
     *     ChimeraException} on a failure
     */
    QueueLeave(
            String process,
            QueueIdentity self,
            DrainableNode node,
            Supplier<ClusterView> view,
            BiConsumer<String, JournalLosses> unregister) {
        this.process = process;
        this.self = self;
        this.node = node;
        this.view = view;
        this.unregister = unregister;
    }

    /**
     * Checks that the node can be removed from the cluster.
     *
     * @throws ChimeraException when the removal would lose points, or concern another process
     */
    void check() {
        if (isHeldByAnother()) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Another process runs as queue node " + self.id()
                            + ", so this process cannot remove the node. Stop this process without remove, or give it"
                            + " another node.id.");
        }
        if (!isMember() && isRegistered()) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Queue node " + self.id()
                            + " has not joined the cluster, so it cannot be drained. /health/ready names the reason."
                            + " Retry once it has joined.");
        }
        if (isAlone()) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Queue node " + self.id()
                            + " is the only live queue node that does not leave, so its points would be lost. Start"
                            + " another queue node first.");
        }
    }

    /**
     * Starts the drain.
     *
     * @param forGood whether to remove the node afterwards; {@link #check} has permitted it
     */
    void begin(boolean forGood) {
        stage.updateAndGet(before -> before.requested(forGood));
        node.leave();
        awaited = node.awaits().orElse("");
    }

    /** Returns whether all live queue nodes that stay are lanes of this process. */
    private boolean isAlone() {
        Roster roster = view.get().roster();
        return view.get().queues().stream()
                .filter(member -> !member.leaving())
                .allMatch(member -> roster.nodeOf(member.id()).equals(process));
    }

    /** Returns whether the id belongs to another process: the registration is the registration of that process. */
    private boolean isHeldByAnother() {
        return view.get().queues().stream()
                .anyMatch(member -> member.id().equals(self.id()) && member.session() != self.session());
    }

    private boolean isMember() {
        return view.get().queue(self.session()).isPresent();
    }

    /** Returns whether the cluster waits for the journal of this lane; true while the registrations are unknown. */
    private boolean isRegistered() {
        ClusterView newest = view.get();
        return !newest.connected() || newest.roster().ids().contains(self.id());
    }

    /** Returns the reason that {@link #awaits} returned last; empty before the drain. */
    Optional<String> awaited() {
        return Optional.of(awaited).filter(reason -> !reason.isEmpty());
    }

    /**
     * Removes a drained node that leaves for good, as soon as possible.
     *
     * @return the reason why the node may not stop yet, phrased to complete "waits for …"; empty once it may stop
     */
    Optional<String> awaits() {
        Optional<String> reason = next();
        awaited = reason.orElse("");
        return reason;
    }

    private Optional<String> next() {
        if (stage.get() == Stage.REMOVED) {
            return Optional.empty(); // the copies have no meaning any more
        }
        if (stage.get() == Stage.UNREGISTERED) {
            return awaitLastNote();
        }
        Optional<String> drain = node.awaits();
        if (drain.isPresent()) {
            return drain;
        }
        return switch (stage.get()) {
            case DRAINS -> stop();
            case LEAVES -> remove();
            case STAYS, DRAINED, UNREGISTERED, REMOVED, REPLACED -> Optional.empty();
        };
    }

    private Optional<String> stop() {
        if (stage.compareAndSet(Stage.DRAINS, Stage.DRAINED) && !node.isCopied() && node.hasOpenRecords()) {
            LOG.warn(OpenPoints.of(view.get().connected(), isMember()).warning, self.id());
        }
        return Optional.empty();
    }

    private Optional<String> remove() {
        if (isHeldByAnother()) {
            stage.set(Stage.REPLACED);
            LOG.warn(
                    "Stopping without a removal: another process has taken the id of this node: node={}. The"
                            + " registration belongs to that process now.",
                    self.id());
            return Optional.empty();
        }
        if (!isMember()) {
            return isRegistered() ? Optional.of("the coordinator to record the departure") : stopUnregistered();
        }
        JournalLosses seen = node.losses();
        if (!node.isRemovable()) {
            return Optional.of(
                    "copies of its journal on queue nodes that stay" + (isLastOfGroup() ? NO_OTHER_STAYS : ""));
        }
        RemovalNote note = node.noteRemoval();
        if (note != RemovalNote.DURABLE) {
            return Optional.of(note == RemovalNote.OVERDUE ? overdue() : NOTE);
        }
        try {
            unregister.accept(self.id(), seen);
        } catch (ChimeraException e) {
            return Optional.of("ZooKeeper to remove the node from its journal group: " + e.getMessage());
        }
        stage.set(Stage.REMOVED);
        return Optional.empty();
    }

    /** Returns the reason of the wait for a disk that refuses the note, with the remedies. */
    private String overdue() {
        if (!isOverdueLogged) {
            isOverdueLogged = true;
            LOG.error(
                    "The removal of a drained queue node waits, because its journal folder cannot be written: node={}."
                            + " {}. The node stays registered, and the write is retried.",
                    self.id(),
                    remedyForDisk());
        }
        return NOTE + ", which cannot be written. " + remedyForDisk();
    }

    private String remedyForDisk() {
        return "Make the disk of node.data_dir writable. If the disk is broken, stop this process, then: chimera"
                + " cluster remove --lost " + process + "; never start a node with this folder again";
    }

    /** Stops without a session: a removal whose reply was lost has succeeded, or an operator has removed the node. */
    private Optional<String> stopUnregistered() {
        stage.set(Stage.UNREGISTERED);
        LOG.warn(
                "Stopping a queue node that is not registered any more: node={}. Keep its data folder until the cluster"
                        + " has stored all points.",
                self.id());
        return awaitLastNote();
    }

    /** Waits for the note of a lane that is removed already, for a limited time: its registration cannot return. */
    private Optional<String> awaitLastNote() {
        RemovalNote note = node.noteRemoval();
        if (note != RemovalNote.DURABLE && note != RemovalNote.OVERDUE) {
            return Optional.of(NOTE);
        }
        if (note == RemovalNote.OVERDUE) {
            LOG.error(
                    "Stopping a removed queue node whose journal folder cannot be written: node={}. Never start a node"
                            + " with this folder again: without ZooKeeper, the node might acknowledge points that the"
                            + " cluster never stores.",
                    self.id());
        }
        stage.set(Stage.REMOVED);
        return Optional.empty();
    }

    /** Returns whether no other live queue node of the journal group stays, for example because two leave at once. */
    private boolean isLastOfGroup() {
        return view.get().queues().stream()
                .filter(member -> member.group().equals(self.group()) && member.session() != self.session())
                .allMatch(QueueMember::leaving);
    }
}
