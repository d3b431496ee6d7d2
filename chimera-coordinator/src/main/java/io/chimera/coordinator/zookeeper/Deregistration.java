package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.JournalLosses;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.coordinator.zookeeper.znode.MalformedZnodeException;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * One transaction that removes queue nodes from their journal groups, and counts the loss of their journals. Calls
 * block on ZooKeeper. One thread.
 */
final class Deregistration {
    private static final int ANY_VERSION = -1;
    private static final byte[] NOBODY = {};

    private final ZooKeeper zooKeeper;
    private final ZooKeeperLink link;
    private final JournalLosses seen;
    private final Set<JournalGroup> groups;

    private final List<String> removed = new ArrayList<>();
    private final List<Op> steps = new ArrayList<>();

    /** The folder of the registrations, so that the transaction fails after any other loss. */
    private final Stat folder = new Stat();

    private final JournalLosses before;
    private JournalLosses after;

    /**
     * Begins a transaction without removals.
     *
     * @param seen losses in the view that permits the removal
     * @param groups journal groups that count a node with an unreadable registration
     * @throws ChimeraException when the losses of journals are unreadable, with the remedy
     */
    Deregistration(ZooKeeper zooKeeper, ZooKeeperLink link, JournalLosses seen, Collection<JournalGroup> groups)
            throws KeeperException, InterruptedException {
        this.zooKeeper = zooKeeper;
        this.link = link;
        this.seen = seen;
        this.groups = Set.copyOf(groups);
        before = losses();
        after = before;
    }

    private JournalLosses losses() throws KeeperException, InterruptedException {
        String path = link.znodes().groups();
        byte[] data = zooKeeper.getData(path, false, folder);
        try {
            return ZnodeCodec.losses(data);
        } catch (MalformedZnodeException e) {
            throw new ChimeraException(Category.ERROR, JournalRegistration.unreadableLosses(path, e), e);
        }
    }

    /**
     * Adds a queue node that must not be live: the creation of the znode of a holder fails while a process holds the
     * id. A node without a registration is left out.
     */
    void addDead(String id) throws KeeperException, InterruptedException {
        if (add(id)) {
            String holder = link.znodes().holder("queue", id);
            steps.add(link.ephemeral(holder, NOBODY));
            steps.add(Op.delete(holder, ANY_VERSION));
        }
    }

    /** Adds a queue node that a session must hold. A node without a registration is left out. */
    void addHeldBy(long session, String id) throws KeeperException, InterruptedException, MalformedZnodeException {
        String holder = link.znodes().holder("queue", id);
        Stat stat = new Stat();
        try {
            if (ZnodeCodec.session(zooKeeper.getData(holder, false, stat)) != session) {
                throw new ChimeraException(Category.WARN, "Another process has the id " + id + " now.");
            }
        } catch (KeeperException.NoNodeException e) {
            throw new ChimeraException(Category.WARN, "The announcement of " + id + " has ended; retry.", e);
        }
        if (add(id)) {
            steps.add(Op.check(holder, stat.getVersion()));
        }
    }

    private boolean add(String id) throws KeeperException, InterruptedException {
        String registration = link.znodes().group(id);
        Stat stat = new Stat();
        try {
            Optional<JournalGroup> group = groupIn(zooKeeper.getData(registration, false, stat));
            group.ifPresent(this::checkLosses);
            // every group counts a node whose registration is unreadable
            for (JournalGroup some : group.map(Set::of).orElse(groups)) {
                after = after.plus(some);
            }
        } catch (KeeperException.NoNodeException e) {
            return false;
        }
        steps.add(Op.delete(registration, stat.getVersion()));
        removed.add(id);
        return true;
    }

    private void checkLosses(JournalGroup group) {
        if (before.of(group) != seen.of(group)) {
            throw new ChimeraException(
                    Category.WARN, "The journal group " + group + " has just lost another journal; retry.");
        }
    }

    private static Optional<JournalGroup> groupIn(byte[] registration) {
        try {
            return Optional.of(ZnodeCodec.registered(registration).group());
        } catch (MalformedZnodeException e) {
            return Optional.empty();
        }
    }

    /**
     * Executes the transaction.
     *
     * @return false when no added node is registered
     * @throws ChimeraException when a node that must not be live has returned, or a registration or a holder has ended
     *     since it was read
     */
    boolean execute() throws KeeperException, InterruptedException {
        if (removed.isEmpty()) {
            return false;
        }
        steps.add(Op.setData(link.znodes().groups(), ZnodeCodec.losses(after), folder.getVersion()));
        try {
            zooKeeper.multi(steps);
            return true;
        } catch (KeeperException.NoNodeException e) {
            throw new ChimeraException(
                    Category.WARN,
                    "The registration or the announcement of " + String.join(", ", removed)
                            + " has changed meanwhile; retry.",
                    e);
        } catch (KeeperException.NodeExistsException e) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Queue node " + removed.get(0) + " has returned, and was not removed. Drain it: chimera cluster"
                            + " remove " + removed.get(0) + " drains the node if it answers at the address shown by"
                            + " cluster status.",
                    e);
        }
    }
}
