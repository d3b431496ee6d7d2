package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.JournalLosses;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ReplayMark;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.cluster.Replays;
import io.chimera.common.cluster.Roster;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.coordinator.zookeeper.znode.MalformedZnodeException;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec.Registration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * Reads the control state from a tree that may be new or damaged, and rebuilds the tree. The low-water mark is written
 * last: until then nodes with a newer control copy treat the tree as lost, and no conductor writes. Calls block on
 * ZooKeeper. One thread.
 */
public final class TreeRecovery {
    /**
     * Maximum number of writes per transaction: each write has some hundred bytes, and a transaction may have 1 MiB.
     */
    private static final int STEPS_MAX = 500;

    private static final int ANY_VERSION = -1;
    private static final byte[] FOLDER = {'{', '}'};

    /** Content of a registration with an unknown group; the node replaces the content at the next start. */
    private static final byte[] GROUP_UNKNOWN = {'{', '}'};

    private final ZooKeeper zooKeeper;
    private final Znodes znodes;
    private final Access access;
    private final List<String> defects = new ArrayList<>();
    private int lowVersion = ANY_VERSION;
    private Optional<String> unreadableLosses = Optional.empty();

    TreeRecovery(ZooKeeper zooKeeper, ZooKeeperLink link) {
        this.zooKeeper = zooKeeper;
        znodes = link.znodes();
        access = link.access();
    }

    /** Reads the tree, as far as it is readable. */
    public ControlState read() {
        return asked("The tree " + znodes.base() + " cannot be read", this::readAll);
    }

    /** Reads the connected queue nodes, even from a tree whose view is incomplete. */
    public List<QueueMember> queues() {
        return asked("The queue nodes in " + znodes.base() + " cannot be read", () -> {
            List<QueueMember> members = new ArrayList<>();
            for (String name : children("queues")) {
                try {
                    members.add(ZnodeCodec.queue(zooKeeper.getData(znodes.folder("queues") + "/" + name, false, null)));
                } catch (KeeperException.NoNodeException | MalformedZnodeException e) {
                    // disconnected in the meantime, or of another release: the group check names this node
                }
            }
            return List.copyOf(members);
        });
    }

    /** Reads the number of connected processors. */
    public int processors() {
        return asked("The processors in " + znodes.base() + " cannot be read", () -> children("processors")
                .size());
    }

    /** Returns the defects found by the last {@link #read}, in sentences. */
    public List<String> defects() {
        return List.copyOf(defects);
    }

    /**
     * Returns a sentence about the losses of journals, if the last {@link #read} found them unreadable. This is no
     * defect of the cycles, so it is mended in a live tree: see {@link #mendLosses}.
     */
    public Optional<String> unreadableLosses() {
        return unreadableLosses;
    }

    /**
     * Replaces unreadable losses of journals, so that all proofs of copies begin again. The rest of the tree stays, and
     * the cluster may work meanwhile.
     *
     * @throws ChimeraException when ZooKeeper did not accept the change
     */
    public void mendLosses() {
        asked("Mending " + znodes.groups() + " failed; run the command again", () -> {
            voidProofs();
            return true;
        });
    }

    /**
     * Rebuilds the tree. A repetition after a failure completes the rebuild.
     *
     * @param state new content of the tree
     * @throws ChimeraException when the rebuild is incomplete
     */
    public void write(ControlState state) {
        asked("Recovering the tree " + znodes.base() + " failed; run the command again", () -> {
            writeAll(state);
            return state;
        });
    }

    /** A blocking step. */
    private interface Asked<V> {
        V ask() throws KeeperException, InterruptedException;
    }

    private static <V> V asked(String failure, Asked<V> step) {
        try {
            return step.ask();
        } catch (KeeperException e) {
            throw new ChimeraException(Category.ERROR, failure + " (" + e.code() + " at " + e.getPath() + ").", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ChimeraException(Category.ERROR, failure + " (interrupted).", e);
        }
    }

    // Reading

    private ControlState readAll() throws KeeperException, InterruptedException {
        defects.clear();
        unreadableLosses = readUnreadableLosses();
        Stat stat = new Stat();
        LowMark low = decoded(znodes.low(), stat, ZnodeCodec::low).orElse(LowMark.NONE);
        lowVersion = stat.getVersion();
        SortedMap<Long, OpenCycle> all = new TreeMap<>();
        for (String name : children("cycles")) {
            open(name).ifPresent(open -> all.put(open.cycle().number(), open));
        }
        ReplayMark replayed =
                decoded(znodes.replayed(), stat, ZnodeCodec::replayMark).orElse(ReplayMark.NONE);
        SortedMap<String, ReplayRequest> requests = new TreeMap<>();
        for (String id : children("replays")) {
            decoded(znodes.replay(id), stat, json -> ZnodeCodec.replayRequest(id, json))
                    .filter(request -> !request.isDone())
                    .ifPresent(request -> requests.put(id, request));
        }
        Stat epoch = zooKeeper.exists(znodes.epoch(), false);
        SortedMap<Long, OpenCycle> live = new TreeMap<>(all.headMap(Cycle.REPLAYS));
        live.keySet().removeIf(number -> number <= low.cycle());
        Optional<OpenCycle> replay = all.tailMap(Math.max(Cycle.REPLAYS, replayed.cycle()) + 1).values().stream()
                .findFirst();
        return new ControlState(
                low, epoch == null ? 0 : epoch.getVersion(), roster(), live, new Replays(replayed, replay, requests));
    }

    private Optional<String> readUnreadableLosses() throws KeeperException, InterruptedException {
        try {
            ZnodeCodec.losses(zooKeeper.getData(znodes.groups(), false, null));
            return Optional.empty();
        } catch (KeeperException.NoNodeException e) {
            return Optional.empty(); // a defect of the folder
        } catch (MalformedZnodeException e) {
            return Optional.of(JournalRegistration.unreadableLosses(znodes.groups(), e));
        }
    }

    private Roster roster() throws KeeperException, InterruptedException {
        SortedMap<String, JournalGroup> groups = new TreeMap<>();
        SortedSet<String> unknown = new TreeSet<>();
        for (String id : children("group")) {
            decoded(znodes.group(id), new Stat(), ZnodeCodec::registered)
                    .ifPresentOrElse(known -> groups.put(id, known.group()), () -> unknown.add(id));
        }
        return new Roster(groups, unknown);
    }

    private Optional<OpenCycle> open(String name) throws KeeperException, InterruptedException {
        if (!name.matches("\\d{1,18}")) {
            return Optional.empty();
        }
        long number = Long.parseLong(name);
        Stat stat = new Stat();
        Optional<Cycle> cycle = decoded(znodes.cycle(number), stat, ZnodeCodec::cycle);
        Optional<Assignment> assignment =
                decoded(znodes.assignment(number), stat, json -> ZnodeCodec.assignment(json, stat.getVersion()));
        return cycle.isPresent() && assignment.isPresent()
                ? Optional.of(new OpenCycle(cycle.get(), assignment.get(), new TreeMap<>()))
                : Optional.empty();
    }

    /** Decodes the content of a znode. */
    private interface Decoder<V> {
        V decode(byte[] json) throws MalformedZnodeException;
    }

    private <V> Optional<V> decoded(String path, Stat stat, Decoder<V> decoder)
            throws KeeperException, InterruptedException {
        try {
            return Optional.of(decoder.decode(zooKeeper.getData(path, false, stat)));
        } catch (KeeperException.NoNodeException e) {
            stat.setVersion(ANY_VERSION);
            defects.add("Znode " + path + " is missing.");
        } catch (MalformedZnodeException e) {
            defects.add("Znode " + path + " cannot be read because " + e.getMessage() + ".");
        }
        return Optional.empty();
    }

    private List<String> children(String folder) throws KeeperException, InterruptedException {
        try {
            return zooKeeper.getChildren(znodes.folder(folder), false);
        } catch (KeeperException.NoNodeException e) {
            defects.add("Znode " + znodes.folder(folder) + " is missing.");
            return List.of();
        }
    }

    // Writing

    /**
     * Counts a loss in each group: the lost tree may have known further losses. The numbers rise above
     * the number of every proof in the folder, so that an old proof of a dead node does not become valid again.
     */
    private void voidProofs() throws KeeperException, InterruptedException {
        Stat stat = new Stat();
        byte[] data = zooKeeper.getData(znodes.groups(), false, stat);
        JournalLosses losses;
        try {
            losses = ZnodeCodec.losses(data);
        } catch (MalformedZnodeException e) {
            losses = JournalLosses.NONE;
        }
        for (String id : children("group")) {
            Optional<Registration> node = decoded(znodes.group(id), new Stat(), ZnodeCodec::registered);
            if (node.isPresent()) {
                losses = losses.atLeast(
                        node.get().group(), node.get().journal().copied().orElse(0));
            }
        }
        for (JournalGroup group : losses.counts().keySet()) {
            losses = losses.plus(group);
        }
        zooKeeper.setData(znodes.groups(), ZnodeCodec.losses(losses), stat.getVersion());
    }

    private void writeAll(ControlState state) throws KeeperException, InterruptedException {
        for (String folder : Znodes.FOLDERS) {
            createIfMissing(znodes.folder(folder), FOLDER);
        }
        boolean isDefault = state.roster().isDefault();
        createIfMissing(
                znodes.version(),
                ZnodeCodec.version(isDefault ? ZnodeCodec.PROTOCOL_OF_ONE_GROUP : ZnodeCodec.PROTOCOL));
        if (!isDefault) {
            zooKeeper.setData(znodes.version(), ZnodeCodec.version(ZnodeCodec.PROTOCOL), ANY_VERSION);
        }
        createIfMissing(znodes.epoch(), ZnodeCodec.conductor(""));
        for (Map.Entry<String, JournalGroup> node : state.roster().groups().entrySet()) {
            createIfMissing(znodes.group(node.getKey()), ZnodeCodec.registered(node.getValue()));
        }
        for (String id : state.roster().unknown()) {
            createIfMissing(znodes.group(id), GROUP_UNKNOWN);
        }
        voidProofs();
        raiseEpoch(state.epoch());
        SortedMap<Long, OpenCycle> cycles = new TreeMap<>(state.cycles());
        state.replays().open().ifPresent(open -> cycles.put(open.cycle().number(), open));
        deleteOthers(cycles);
        for (OpenCycle open : cycles.values()) {
            write(open);
        }
        for (ReplayRequest request : state.replays().requests().values()) {
            createIfMissing(znodes.replay(request.id()), ZnodeCodec.encode(request));
        }
        byte[] replayed = ZnodeCodec.encode(state.replays().mark());
        createIfMissing(znodes.replayed(), replayed);
        zooKeeper.setData(znodes.replayed(), replayed, ANY_VERSION);
        byte[] low = ZnodeCodec.encode(state.low());
        if (lowVersion == ANY_VERSION) {
            zooKeeper.create(znodes.low(), low, access.of(znodes.low()), CreateMode.PERSISTENT);
        } else {
            zooKeeper.setData(znodes.low(), low, lowVersion);
        }
    }

    private void createIfMissing(String path, byte[] data) throws KeeperException, InterruptedException {
        try {
            zooKeeper.create(path, data, access.of(path), CreateMode.PERSISTENT);
        } catch (KeeperException.NodeExistsException e) {
            // existing content stays
        }
    }

    /** Raises the epoch, which is the version of its znode, above every epoch of conductors before the loss. */
    private void raiseEpoch(long least) throws KeeperException, InterruptedException {
        byte[] nobody = ZnodeCodec.conductor("");
        long missing = least + 1 - zooKeeper.exists(znodes.epoch(), false).getVersion();
        while (missing > 0) {
            int steps = (int) Math.min(STEPS_MAX, missing);
            zooKeeper.multi(Collections.nCopies(steps, Op.setData(znodes.epoch(), nobody, ANY_VERSION)));
            missing -= steps;
        }
    }

    /** Deletes cycles with outdated or unwanted content, and removes unchanged cycles from the map. */
    private void deleteOthers(SortedMap<Long, OpenCycle> cycles) throws KeeperException, InterruptedException {
        TreeSet<String> names = new TreeSet<>();
        for (String folder : List.of("cycles", "assign", "commits", "verified")) {
            names.addAll(children(folder));
        }
        for (String name : names) {
            OpenCycle wanted = name.matches("\\d{1,18}") ? cycles.get(Long.parseLong(name)) : null;
            Optional<OpenCycle> standing = open(name);
            boolean stays = wanted != null
                    && standing.isPresent()
                    && standing.get().cycle().equals(wanted.cycle())
                    && standing.get().assignment().version()
                            >= wanted.assignment().version();
            if (stays) {
                cycles.remove(wanted.cycle().number());
                createIfMissing(znodes.folder("commits") + "/" + name, new byte[0]);
            } else {
                delete(name);
            }
        }
    }

    private void delete(String name) throws KeeperException, InterruptedException {
        List<String> paths = new ArrayList<>();
        String commits = znodes.folder("commits") + "/" + name;
        if (zooKeeper.exists(commits, false) != null) {
            zooKeeper.getChildren(commits, false).forEach(shard -> paths.add(commits + "/" + shard));
        }
        for (String folder : List.of("commits", "assign", "cycles", "verified")) {
            paths.add(znodes.folder(folder) + "/" + name);
        }
        for (String path : paths) {
            try {
                zooKeeper.delete(path, ANY_VERSION);
            } catch (KeeperException.NoNodeException e) {
                // a damaged cycle lacks some znodes
            }
        }
    }

    /** Writes a cycle. The version of an assignment's znode counts its reassignments. */
    private void write(OpenCycle open) throws KeeperException, InterruptedException {
        long number = open.cycle().number();
        byte[] assignment = ZnodeCodec.encode(open.assignment());
        List<Op> steps = new ArrayList<>();
        steps.add(persistent(znodes.cycle(number), ZnodeCodec.encode(open.cycle())));
        steps.add(persistent(znodes.assignment(number), assignment));
        for (int i = 0; i < open.assignment().version(); i++) {
            steps.add(Op.setData(znodes.assignment(number), assignment, i));
        }
        steps.add(persistent(znodes.commits(number), new byte[0]));
        zooKeeper.multi(steps);
    }

    private Op persistent(String path, byte[] data) {
        return Op.create(path, data, access.of(path), CreateMode.PERSISTENT);
    }
}
