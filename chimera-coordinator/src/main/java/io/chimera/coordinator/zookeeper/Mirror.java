package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ReplayMark;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.zookeeper.znode.MalformedZnodeException;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec.Registration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copy of the znodes in a {@link ViewScope}. Each changed znode is read again, except a deleted znode
 * of a cycle, which the low-water mark explains: ZooKeeper sends the change of the mark first, so the copy drops the
 * znode with the next reply that has the mark. Used by the agent's thread only.
 */
final class Mirror {
    private static final Logger LOG = LoggerFactory.getLogger(Mirror.class);

    /**
     * Minimum time between two reads of announcements of queue nodes: at most 20 reads/s per process, so the reads of a
     * cluster grow only with the number of its processes.
     */
    private static final long REFRESH_NS_MIN = TimeUnit.MILLISECONDS.toNanos(50);

    /** Interval at which all announcements are read again, if {@link #REFRESH_NS_MIN} permits. */
    private static final long REFRESH_ALL_NS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Folders whose znodes are deleted together with a change of a mark. */
    private static final Set<String> OF_CYCLE = Set.of("cycles", "assign", "commits", "verified");

    private static final String QUEUE_HOLDER = "queue-";
    private static final Pattern CYCLE_NAME = Pattern.compile("\\d{1,18}");

    private final Znodes znodes;
    private final Counters<ClusterCounter> counters;
    private final MirrorEntries entries = new MirrorEntries();
    private final MirrorView views;
    private final Deque<String> refreshed = new ArrayDeque<>();

    /** Paths of the announcements of this process, one per lane. */
    private final Set<String> own = new HashSet<>();

    /** Paths of deleted znodes of cycles that wait for a pending read of the marks. */
    private final List<String> ended = new ArrayList<>();

    private ViewScope scope = ViewScope.MEMBER;
    private LowMark low = LowMark.NONE;
    private ReplayMark replayed = ReplayMark.NONE;
    private Leader leader = Leader.NONE;

    /** Reasons why marks are unreadable, by path. */
    private final SortedMap<String, String> defects = new TreeMap<>();

    private ZooKeeperLink link;
    private int round;
    private int asked;
    private boolean sweeping;
    private int marksAsked;
    private boolean dirty;

    /** Whether only positions of queue nodes have changed since the last view. */
    private boolean aged;

    private long refreshAtNs;
    private boolean failed;
    private Runnable whenWhole;

    Mirror(Znodes znodes, Counters<ClusterCounter> counters) {
        this.znodes = znodes;
        this.counters = counters;
        views = new MirrorView(znodes, entries);
    }

    /** The conductor, as named in the epoch znode. */
    record Leader(String id, long epoch) {
        static final Leader NONE = new Leader("", 0);
    }

    /** Sets the part of the tree to copy; the caller then reads everything again. */
    void scope(ViewScope other) {
        scope = other;
    }

    ViewScope scope() {
        return scope;
    }

    /**
     * Reads all znodes over a new link. The caller must have set the watches before.
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
        read(znodes.groups()); // before the members: a loss is visible only after the lost journal is gone
        scope.folders().forEach(name -> list(znodes.folder(name)));
        if (scope == ViewScope.MEMBER) {
            List.copyOf(entries.paths(ShardCommit.class)).forEach(this::read);
        }
    }

    /** Drops pending requests, which will never be answered. */
    void onLinkBroken() {
        failed = false;
        whenWhole = null;
        ended.clear();
        marksAsked = 0;
    }

    /** Updates the copy after a change of a znode. */
    void onChange(EventType type, String path) {
        List<String> names = znodes.namesOf(path);
        if (znodes.isMark(path)) {
            read(path);
        } else if (names.size() == 2 && names.get(0).equals(ViewScope.HOLDERS)) {
            onHolder(type, path, names.get(1));
        } else if (scope.isSeen(names)) {
            if (type == EventType.NodeDeleted && OF_CYCLE.contains(names.get(0))) {
                onEnded(path);
            } else {
                read(path);
                readCommitsOf(names);
            }
        }
    }

    /**
     * Reads the own commits of a cycle again after a change of its assignment, because an operator's request to repeat
     * a cycle deletes them. Only a coordinator watches commits.
     */
    private void readCommitsOf(List<String> names) {
        if (scope == ViewScope.MEMBER && names.get(0).equals("assign")) {
            String folder = znodes.folder("commits") + "/" + names.get(1) + "/";
            entries.paths(ShardCommit.class).stream()
                    .filter(path -> path.startsWith(folder))
                    .toList()
                    .forEach(this::read);
        }
    }

    /**
     * Reads or drops the announcement of a queue node that joined, begins to leave, or left. A coordinator watches
     * announcements.
     */
    private void onHolder(EventType type, String path, String holder) {
        if (scope == ViewScope.COORDINATOR || !holder.startsWith(QUEUE_HOLDER)) {
            return;
        }
        if (type == EventType.NodeDeleted || type == EventType.NodeDataChanged) {
            String id = holder.substring(QUEUE_HOLDER.length());
            entries.values(QueueMember.class).stream()
                    .filter(member -> member.id().equals(id))
                    .forEach(member -> read(znodes.queue(member.session())));
        } else if (type == EventType.NodeCreated) {
            link.read(path, (code, data, stat) -> {
                if (code == Code.OK) {
                    readQueueOf(data);
                } else {
                    failed |= code != Code.NONODE;
                }
            });
        }
    }

    private void readQueueOf(byte[] holder) {
        try {
            read(znodes.queue(ZnodeCodec.session(holder)));
        } catch (MalformedZnodeException e) {
            counters.increment(ClusterCounter.ZNODES_MALFORMED);
        }
    }

    /** Drops a deleted znode of a cycle as soon as the marks are known that explain the deletion. */
    private void onEnded(String path) {
        ended.add(path);
        if (marksAsked == 0) {
            read(znodes.low());
            read(znodes.replayed());
        }
    }

    private void onMark() {
        marksAsked--;
        if (marksAsked > 0) {
            return;
        }
        List<String> deleted = List.copyOf(ended);
        ended.clear();
        for (String path : deleted) {
            if (isOver(znodes.namesOf(path).get(1))) {
                dirty |= entries.remove(path);
            } else {
                read(path); // deleted for another reason, such as an operator's request to repeat the cycle
            }
        }
    }

    private boolean isOver(String name) {
        return CYCLE_NAME.matcher(name).matches() && MirrorView.isOver(Long.parseLong(name), low, replayed);
    }

    /**
     * Reads the announcement of the next queue node when due; returns above 0 after a request. Announcements of this
     * process are not read: {@link MemberAnnouncer} shows a change of the own standing only after the changes that
     * ZooKeeper accepted before, and a read that is under way would show the change earlier.
     */
    int refresh(long nowNs) {
        int queues = entries.size(QueueMember.class);
        if (scope == ViewScope.COORDINATOR || whenWhole != null || queues == 0 || nowNs - refreshAtNs < 0) {
            return 0;
        }
        if (refreshed.isEmpty()) {
            refreshed.addAll(entries.paths(QueueMember.class));
            refreshed.removeAll(own);
        }
        refreshAtNs = nowNs + Math.max(REFRESH_NS_MIN, REFRESH_ALL_NS / queues);
        if (refreshed.isEmpty()) {
            return 0;
        }
        read(refreshed.remove());
        return 1;
    }

    /** Reads a znode written by the own process, outside of the watches. */
    void readOwn(String path) {
        own.add(path);
        read(path);
    }

    /** Stores the own announcement after ZooKeeper has accepted the announcement. */
    void announced(String path, byte[] data) {
        own.add(path);
        put(path, data, 0);
    }

    /** Returns whether the copy has changed since the last view, other than in positions of queue nodes. */
    boolean isDirty() {
        return dirty;
    }

    /** Returns whether positions of queue nodes have changed since the last view. */
    boolean isAged() {
        return aged;
    }

    /** Returns the number of members in the copy. */
    int members() {
        return entries.size(QueueMember.class) + entries.size(ProcessorMember.class);
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
     * Returns the copy as a view, which is not connected while a mark is unreadable, see {@link MirrorView}.
     */
    ClusterView view(long revision) {
        dirty = false;
        aged = false;
        return views.view(revision, defects.isEmpty(), low, replayed);
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
        boolean isMark = path.equals(znodes.low()) || path.equals(znodes.replayed());
        marksAsked += isMark ? 1 : 0;
        link.read(path, (code, data, stat) -> {
            switch (code) {
                case OK -> put(path, data, stat.getVersion());
                case NONODE -> remove(path);
                default -> failed = true;
            }
            if (isMark) {
                onMark();
            }
            onAnswer();
        });
    }

    private void remove(String path) {
        dirty |= entries.remove(path);
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
            entries.removeOlder(round);
            dirty = true;
            Runnable whole = whenWhole;
            whenWhole = null;
            whole.run();
        }
    }

    private void put(String path, byte[] data, int version) {
        try {
            decode(path, data, version);
            dirty |= defects.remove(path) != null;
        } catch (MalformedZnodeException e) {
            dirty |= entries.remove(path);
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
            case "low" -> {
                LowMark next = ZnodeCodec.low(data);
                dirty |= !next.equals(low);
                low = next;
            }
            case "replayed" -> {
                ReplayMark next = ZnodeCodec.replayMark(data);
                dirty |= !next.equals(replayed);
                replayed = next;
            }
            case "replays" -> put(path, ZnodeCodec.replayRequest(last, data));
            case "epoch" -> {
                leader = new Leader(ZnodeCodec.conductor(data), version);
                dirty = true;
            }
            case "verified" -> put(path, new MirrorView.Verified(numberOf(last)));
            case "group" -> {
                if (path.equals(znodes.groups())) {
                    put(path, ZnodeCodec.losses(data));
                } else {
                    put(path, new MirrorView.Registered(last, registeredIn(path, data)));
                }
            }
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

    /** Returns the registration of a node; empty for an unreadable znode, whose node every group counts. */
    private Optional<Registration> registeredIn(String path, byte[] data) {
        try {
            return Optional.of(ZnodeCodec.registered(data));
        } catch (MalformedZnodeException e) {
            counters.increment(ClusterCounter.ZNODES_MALFORMED);
            LOG.error(
                    "The journal group of znode {} is unknown because {}. Every group counts the node until its next"
                            + " start, which writes the znode again: restart the node.",
                    path,
                    e.getMessage());
            return Optional.empty();
        }
    }

    private void put(String path, Object value) {
        Object before = entries.put(path, value, round);
        if (before instanceof QueueMember old && value instanceof QueueMember now && isOnlyFurther(old, now)) {
            aged |= !old.equals(now);
        } else {
            dirty |= !value.equals(before);
        }
    }

    /** Returns whether two announcements of a queue node differ at most in its journal and its clock. */
    private static boolean isOnlyFurther(QueueMember before, QueueMember now) {
        return before.session() == now.session()
                && before.leaving() == now.leaving()
                && before.digests().equals(now.digests())
                && before.unreachable().equals(now.unreachable());
    }

    private static long numberOf(String name) throws MalformedZnodeException {
        if (!CYCLE_NAME.matcher(name).matches()) {
            throw new MalformedZnodeException("its name is not the number of a cycle");
        }
        return Long.parseLong(name);
    }

    private static void checkPath(String path, String named) throws MalformedZnodeException {
        if (!path.equals(named)) {
            throw new MalformedZnodeException("its content belongs at " + named);
        }
    }
}
