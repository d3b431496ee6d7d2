package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ReplayMark;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.cluster.Replays;
import io.chimera.common.cluster.Roster;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.cluster.ShardId;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.cluster.archive.Archives;
import io.chimera.common.cluster.archive.KnownArchive;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.zookeeper.znode.MalformedZnodeException;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.zookeeper.KeeperException.Code;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's copy of the cluster's znodes. Each changed znode is read again, even if it was deleted: ZooKeeper answers
 * one client in the order of its requests, so a copy without a deleted cycle already has the low-water mark raised
 * before the deletion. Used by the agent's thread only.
 */
final class Mirror {
    private static final Logger LOG = LoggerFactory.getLogger(Mirror.class);

    private final Znodes znodes;
    private final Counters<ClusterCounter> counters;
    private final Map<String, Entry> entries = new HashMap<>();
    private LowMark low = LowMark.NONE;
    private ReplayMark replayed = ReplayMark.NONE;
    private Leader leader = Leader.NONE;

    /** Reasons why marks are unreadable, by path. */
    private final SortedMap<String, String> defects = new TreeMap<>();

    private ZooKeeperLink link;
    private int round;
    private int asked;
    private boolean sweeping;
    private boolean dirty;
    private boolean failed;
    private Runnable whenWhole;

    Mirror(Znodes znodes, Counters<ClusterCounter> counters) {
        this.znodes = znodes;
        this.counters = counters;
    }

    /** The conductor, as named in the epoch znode. */
    record Leader(String id, long epoch) {
        static final Leader NONE = new Leader("", 0);
    }

    private record Registered(String id, JournalGroup group) {}

    private record Entry(Object value, int round) {}

    /**
     * Reads all znodes over a new link. The caller must have set the watch before.
     *
     * @param whole runs when the copy is complete
     */
    void readAll(ZooKeeperLink over, Runnable whole) {
        link = over;
        round++;
        asked = 0;
        sweeping = false;
        failed = false;
        whenWhole = whole;
        Znodes.SEEN_FOLDERS.forEach(name -> list(znodes.folder(name)));
    }

    /** Drops pending requests, which will never be answered. */
    void onLinkBroken() {
        failed = false;
        whenWhole = null;
    }

    /** Reads a changed znode again. */
    void onChange(String path) {
        List<String> names = znodes.namesOf(path);
        boolean isLeaf = znodes.isMark(path);
        boolean isSeen = !names.isEmpty() && Znodes.SEEN_FOLDERS.contains(names.get(0));
        boolean isCommit = isSeen && names.get(0).equals("commits");
        if (isLeaf || (isSeen && names.size() == (isCommit ? 3 : 2))) {
            read(path);
        }
    }

    /** Returns whether the copy has changed since the last view. */
    boolean isDirty() {
        return dirty;
    }

    /** Returns whether a read failed; the whole copy must then be read again. */
    boolean isFailed() {
        return failed;
    }

    Leader leader() {
        return leader;
    }

    /**
     * Returns why the tree is unusable, with the remedy; empty when the tree is usable. A missing or damaged mark hides
     * which cycles have ended.
     */
    String defect() {
        return defects.isEmpty()
                ? ""
                : "Znode " + defects.firstKey() + " cannot be used because " + defects.get(defects.firstKey())
                        + ": no cycle begins or ends. Rebuild the tree from the control copies of the queue nodes:"
                        + " chimera cluster recover.";
    }

    /**
     * Returns the copy as a view, which is not connected while a mark is unreadable. A cycle is in the view once both
     * its record and its assignment are.
     */
    ClusterView view(long revision) {
        dirty = false;
        List<QueueMember> queues = values(QueueMember.class);
        queues.sort(Comparator.comparing(QueueMember::id).thenComparing(QueueMember::session));
        List<ProcessorMember> processors = values(ProcessorMember.class);
        processors.sort(Comparator.comparing(ProcessorMember::id).thenComparing(ProcessorMember::session));
        SortedMap<Long, OpenCycle> cycles = new TreeMap<>();
        for (Cycle cycle : values(Cycle.class)) {
            Entry entry = entries.get(znodes.assignment(cycle.number()));
            boolean isOver = cycle.number() <= (Cycle.isReplay(cycle.number()) ? replayed.cycle() : low.cycle());
            if (!isOver && entry != null && entry.value() instanceof Assignment assignment && fits(assignment, cycle)) {
                cycles.put(cycle.number(), new OpenCycle(cycle, assignment, commitsOf(cycle)));
            }
        }
        SortedMap<String, JournalGroup> registered = new TreeMap<>();
        values(Registered.class).forEach(node -> registered.put(node.id(), node.group()));
        SortedMap<Long, OpenCycle> live = cycles.headMap(Cycle.REPLAYS);
        return new ClusterView(
                revision,
                defects.isEmpty(),
                queues,
                processors,
                registered.size(),
                live,
                low,
                replays(cycles),
                archives(),
                new Roster(registered));
    }

    private Archives archives() {
        List<ArchiveMember> live = values(ArchiveMember.class);
        live.sort(Comparator.comparing(ArchiveMember::id).thenComparing(ArchiveMember::session));
        List<KnownArchive> known = values(KnownArchive.class);
        known.sort(Comparator.comparing(KnownArchive::id));
        return new Archives(live, known);
    }

    private Replays replays(SortedMap<Long, OpenCycle> cycles) {
        SortedMap<String, ReplayRequest> requests = new TreeMap<>();
        values(ReplayRequest.class).forEach(request -> requests.put(request.id(), request));
        Optional<OpenCycle> open =
                cycles.tailMap(Cycle.REPLAYS).values().stream().findFirst();
        return new Replays(replayed, open, requests);
    }

    private SortedMap<Integer, ShardCommit> commitsOf(Cycle cycle) {
        SortedMap<Integer, ShardCommit> commits = new TreeMap<>();
        for (int shard = 0; shard < cycle.shards(); shard++) {
            Entry entry = entries.get(znodes.commit(new ShardId(cycle.number(), shard)));
            if (entry != null && entry.value() instanceof ShardCommit commit) {
                commits.put(shard, commit);
            }
        }
        return commits;
    }

    private static boolean fits(Assignment assignment, Cycle cycle) {
        return assignment.owners().size() == cycle.parts()
                && assignment.processors().size() == cycle.shards();
    }

    private <V> List<V> values(Class<V> type) {
        List<V> values = new ArrayList<>();
        for (Entry entry : entries.values()) {
            if (type.isInstance(entry.value())) {
                values.add(type.cast(entry.value()));
            }
        }
        return values;
    }

    private void list(String folder) {
        asked++;
        boolean holdsFolders = folder.equals(znodes.folder("commits"));
        link.list(folder, (code, names) -> {
            if (code == Code.OK) {
                for (String name : names) {
                    String below = folder + "/" + name;
                    if (holdsFolders) {
                        list(below);
                    } else {
                        read(below);
                    }
                }
            } else if (code != Code.NONODE) {
                failed = true;
            }
            onAnswer();
        });
    }

    private void read(String path) {
        asked++;
        link.read(path, (code, data, stat) -> {
            switch (code) {
                case OK -> put(path, data, stat.getVersion());
                case NONODE -> remove(path);
                default -> failed = true;
            }
            onAnswer();
        });
    }

    private void remove(String path) {
        dirty |= entries.remove(path) != null;
        if (znodes.isMark(path)) {
            defect(path, "it is missing");
        }
    }

    /** Reads the marks last: a mark must not be older than a deletion of cycles that it explains. */
    private void onAnswer() {
        asked--;
        if (asked > 0 || whenWhole == null) {
            return;
        }
        if (!sweeping) {
            sweeping = true;
            read(znodes.epoch());
            read(znodes.low());
            read(znodes.replayed());
            return;
        }
        if (!failed) {
            entries.values().removeIf(entry -> entry.round() < round);
            dirty = true;
            Runnable whole = whenWhole;
            whenWhole = null;
            whole.run();
        }
    }

    private void put(String path, byte[] data, int version) {
        dirty = true;
        try {
            decode(path, data, version);
            defects.remove(path);
        } catch (MalformedZnodeException e) {
            entries.remove(path);
            counters.increment(ClusterCounter.ZNODES_MALFORMED);
            if (znodes.isMark(path)) {
                defect(path, e.getMessage());
                return;
            }
            LOG.error(
                    "Ignored znode {} because {}. Find its writer, and delete the znode unless a node of this release"
                            + " wrote it; chimera cluster recover rebuilds a damaged cycle or assignment.",
                    path,
                    e.getMessage());
        }
    }

    private void defect(String path, String reason) {
        dirty = true;
        if (!reason.equals(defects.put(path, reason))) {
            LOG.error("{}", defect());
        }
    }

    private void decode(String path, byte[] data, int version) throws MalformedZnodeException {
        List<String> names = znodes.namesOf(path);
        String last = names.get(names.size() - 1);
        switch (names.get(0)) {
            case "low" -> low = ZnodeCodec.low(data);
            case "replayed" -> replayed = ZnodeCodec.replayMark(data);
            case "replays" -> put(path, ZnodeCodec.replayRequest(last, data));
            case "epoch" -> leader = new Leader(ZnodeCodec.conductor(data), version);
            case "group" -> put(path, new Registered(last, registeredIn(path, data)));
            case "queues" -> put(path, ZnodeCodec.queue(data));
            case "processors" -> put(path, ZnodeCodec.processor(data));
            case "archives" -> put(path, ZnodeCodec.archive(data));
            case "archive-nodes" -> put(path, ZnodeCodec.known(last, data));
            case "assign" -> put(path, ZnodeCodec.assignment(data, version));
            case "cycles" -> {
                Cycle cycle = ZnodeCodec.cycle(data);
                checkPath(path, znodes.cycle(cycle.number()));
                put(path, cycle);
            }
            case "commits" -> {
                ShardCommit commit = ZnodeCodec.commit(data);
                checkPath(path, znodes.commit(commit.id()));
                put(path, commit);
            }
            default -> throw new IllegalStateException("Unexpected znode " + path);
        }
    }

    /** Returns the group of a registered node; a node with unreadable content stays registered, or K would fall. */
    private JournalGroup registeredIn(String path, byte[] data) {
        try {
            return ZnodeCodec.registered(data);
        } catch (MalformedZnodeException e) {
            counters.increment(ClusterCounter.ZNODES_MALFORMED);
            LOG.error(
                    "Znode {} is read as a node of the journal group {} because {}. The node writes the znode again at"
                            + " its next start.",
                    path,
                    JournalGroup.DEFAULT,
                    e.getMessage());
            return JournalGroup.DEFAULT;
        }
    }

    private void put(String path, Object value) {
        entries.put(path, new Entry(value, round));
    }

    private static void checkPath(String path, String named) throws MalformedZnodeException {
        if (!path.equals(named)) {
            throw new MalformedZnodeException("its content belongs at " + named);
        }
    }
}
