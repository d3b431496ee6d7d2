package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.JournalSuccession;
import io.chimera.common.cluster.QueueMember;
import io.chimera.coordinator.zookeeper.znode.MalformedZnodeException;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec.Registration;
import java.util.Optional;

/**
 * Relation of a queue node and its journal to an earlier registration of its id.
 *
 * @param self the queue node
 */
record JournalRegistration(QueueMember self) implements RegistrationRule {
    @Override
    public boolean isReturning() {
        return self.journal().isReturning();
    }

    /**
     * A node that an operator removed must not return with its old journal: the cluster may have ended the cycles of
     * its records without it. A tree that has lost the registration is no reason for a refusal.
     */
    @Override
    public Optional<String> refusalWithout(ClusterView view) {
        return self.wasRegisteredIn(view)
                ? Optional.of("Queue node " + self.id()
                        + " was removed from the cluster (chimera cluster remove) after an earlier start with this data"
                        + " folder." + lanesOf(view) + remedy())
                : Optional.empty();
    }

    @Override
    public Optional<String> refusalAfter(byte[] earlier) {
        try {
            Registration registered = ZnodeCodec.registered(earlier);
            JournalGroup group = registered.group();
            if (!group.equals(self.group())) {
                return Optional.of("Queue node " + self.id() + " is registered in the journal group '" + group
                        + "' and cannot join '" + self.group()
                        + "': its journal may have the only copy of points of '" + group + "'. Set queue.group: "
                        + group + ", or remove the node first: chimera cluster remove " + self.id() + ".");
            }
            return succession(registered) == JournalSuccession.OUTDATED
                    ? Optional.of("Queue node " + self.id() + " has run with another data folder since an earlier start"
                            + " with this one." + remedy())
                    : Optional.empty();
        } catch (MalformedZnodeException e) {
            return Optional.empty(); // the announcement replaces an unreadable registration
        }
    }

    @Override
    public boolean isLoss(byte[] earlier) {
        try {
            return succession(ZnodeCodec.registered(earlier)).isLoss();
        } catch (MalformedZnodeException e) {
            return true;
        }
    }

    /**
     * A new folder must not take the place of a journal that may have the only copy of points: the folder may be the
     * mount point of a disk that is not mounted, and the cluster would then refuse the folder on the disk.
     */
    @Override
    public Optional<String> refusalOfLoss(byte[] earlier, byte[] losses, ClusterView view)
            throws MalformedZnodeException {
        long present = ZnodeCodec.losses(losses).of(self.group());
        try {
            Registration registered = ZnodeCodec.registered(earlier);
            return succession(registered).mayEndOnlyCopy(self, registered.journal(), present, view)
                    ? Optional.of(refusalOfNewFolder(registered))
                    : Optional.empty();
        } catch (MalformedZnodeException e) {
            return Optional.empty(); // the announcement replaces an unreadable registration
        }
    }

    private String refusalOfNewFolder(Registration registered) {
        return "Queue node " + self.id()
                + " starts with a new data folder, and the folder of its earlier start may have the only copy of points."
                + " Start it with the earlier folder: is the disk of node.data_dir mounted?"
                + remedyForLostIdentity(registered.journal().id())
                + " If the folder is lost: chimera cluster remove --lost " + self.id()
                + (self.group().laneNumber() == 0
                        ? ", which gives up the folders of all lanes of the node; stop the node first if one of them"
                                + " has joined."
                        : ", which gives up the folder of this lane only, while lane 0 is live.");
    }

    /** Returns the content of a lost file; empty after a recovery, because the registration names no journal then. */
    private String remedyForLostIdentity(long registered) {
        return registered == 0
                ? ""
                : " If this is the earlier folder without its journal/identity.json, write the file again: {\"id\":\""
                        + Long.toHexString(registered) + "\",\"node\":\"" + self.id() + "\"}.";
    }

    private JournalSuccession succession(Registration registered) {
        return JournalSuccession.of(self.journal(), registered.journal());
    }

    @Override
    public byte[] withLoss(byte[] losses) throws MalformedZnodeException {
        return ZnodeCodec.losses(ZnodeCodec.losses(losses).plus(self.group()));
    }

    private String remedy() {
        int lane = self.group().laneNumber();
        return " Start it with an empty " + (lane == 0 ? "node.data_dir" : "folder lane-" + lane + " in node.data_dir")
                + "; keep the old folder until the cluster has stored all points.";
    }

    /** Returns the remedy for lanes of the removed node with a registration: their journals may be needed. */
    private String lanesOf(ClusterView view) {
        String lanes = String.join(", ", view.roster().lanesOf(self.id()));
        return lanes.isEmpty()
                ? ""
                : " Its lanes " + lanes + " are still registered, and their folders in node.data_dir may have the only"
                        + " copy of points. Remove them first, while this process runs: chimera cluster remove <lane>.";
    }

    /** Returns the text about an unreadable folder of registrations, with the remedy. */
    static String unreadableLosses(String path, MalformedZnodeException reason) {
        return "Znode " + path + " cannot be read because " + reason.getMessage()
                + ": the losses of journals are unknown. Mend it: chimera cluster recover --yes.";
    }
}
