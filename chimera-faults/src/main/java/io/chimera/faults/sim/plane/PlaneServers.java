package io.chimera.faults.sim.plane;

import io.chimera.faults.sim.plane.PlaneTree.Change;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;

/**
 * Model of an ensemble of {@link #SERVERS} ZooKeeper servers. Sessions are spread evenly over the servers.
 *
 * <ul>
 *   <li>A message takes {@link #ONE_WAY_NS} between a session and its server.
 *   <li>The leader orders writes one after the other, each in {@link #WRITE_NS} and {@link #BYTE_NS} per byte. A write
 *       is committed {@link #COMMIT_NS} later, for log and quorum; writes share this time.
 *   <li>A server answers one request or sends one watch event after the other, a read in {@link #READ_NS}, an event in
 *       {@link #EVENT_NS}, and each byte in {@link #BYTE_NS}.
 * </ul>
 */
final class PlaneServers {
    static final int SERVERS = 5;

    /** One way in a data center. */
    static final long ONE_WAY_NS = 250_000;

    /** 20,000 ordered writes per second. */
    static final long WRITE_NS = 50_000;

    /** Sync of a log on an SSD, and a round trip to a quorum. */
    static final long COMMIT_NS = 2_000_000;

    /** 100,000 small reads per second and server. */
    static final long READ_NS = 10_000;

    /** 200,000 watch events per second and server. */
    static final long EVENT_NS = 5_000;

    /** 1 Gbit/s per server. */
    static final long BYTE_NS = 8;

    private static final int EVENT_BYTES = 60;

    private final PlaneTime time;
    private final PlaneTree tree = new PlaneTree();
    private final Map<String, List<Watching>> watches = new HashMap<>();
    private final long[] freeNs = new long[SERVERS];
    private long leaderFreeNs;
    private long committedNs;

    private long writes;
    private long steps;
    private long bytesWritten;
    private long reads;
    private long bytesRead;
    private long watchesSet;
    private long watchesFired;

    /** A watch of a session. */
    private record Watching(PlaneClient client, boolean isRecursive) {}

    PlaneServers(PlaneTime time) {
        this.time = time;
    }

    PlaneTime time() {
        return time;
    }

    PlaneCounts counts() {
        return new PlaneCounts(writes, steps, bytesWritten, reads, bytesRead, watchesSet, watchesFired);
    }

    /** Returns the bytes of content below a path. */
    long bytesBelow(String path) {
        return tree.bytesBelow(path + "/");
    }

    PlaneTree tree() {
        return tree;
    }

    void watch(PlaneClient client, String path, boolean isRecursive) {
        watchesSet++;
        watches.computeIfAbsent(path, key -> new ArrayList<>()).add(new Watching(client, isRecursive));
    }

    /** Orders, commits and answers a write of a session. */
    void write(PlaneClient client, List<Op> ops, long bytes, Consumer<Code> reply) {
        time.at(time.nanoTime() + ONE_WAY_NS, () -> {
            long atNs = ordered(bytes, ops.size());
            client.writesUntil(atNs);
            time.at(atNs, () -> {
                List<Change> changes = new ArrayList<>();
                Code code = tree.apply(ops, client.sessionId(), changes);
                fire(changes);
                serve(client, atNs, READ_NS, () -> reply.accept(code));
            });
        });
    }

    /** Commits a write at once, and returns the time at which the session has the answer. */
    long writeNow(PlaneClient client, List<Op> ops, long bytes, long fromNs, Consumer<Code> reply) {
        leaderFreeNs = Math.max(leaderFreeNs, fromNs + ONE_WAY_NS);
        long atNs = ordered(bytes, ops.size());
        List<Change> changes = new ArrayList<>();
        reply.accept(tree.apply(ops, client.sessionId(), changes));
        time.at(atNs, () -> fire(changes));
        return atNs + ONE_WAY_NS;
    }

    private long ordered(long bytes, int count) {
        writes++;
        steps += count;
        bytesWritten += bytes;
        leaderFreeNs = Math.max(leaderFreeNs, time.nanoTime()) + WRITE_NS + bytes * BYTE_NS;
        committedNs = Math.max(committedNs, leaderFreeNs + COMMIT_NS);
        return committedNs;
    }

    /** Sends the watch events of committed changes. */
    private void fire(List<Change> changes) {
        Map<PlaneClient, List<Change>> seen = new LinkedHashMap<>();
        changes.forEach(change -> collect(change, seen));
        seen.forEach((watcher, its) -> {
            watchesFired += its.size();
            long costNs = its.size() * (EVENT_NS + EVENT_BYTES * BYTE_NS);
            serve(watcher, time.nanoTime(), costNs, () -> its.forEach(watcher::onEvent));
        });
    }

    private void collect(Change change, Map<PlaneClient, List<Change>> seen) {
        String path = change.path();
        add(path, change, false, seen);
        if (change.type() != EventType.NodeDataChanged) {
            String parent = PlaneTree.parentOf(path);
            for (Watching watching : watches.getOrDefault(parent, List.of())) {
                if (!watching.isRecursive) {
                    seen.computeIfAbsent(watching.client, key -> new ArrayList<>())
                            .add(new Change(EventType.NodeChildrenChanged, parent));
                }
            }
        }
        for (String above = path; !above.isEmpty(); ) {
            above = PlaneTree.parentOf(above);
            add(above, change, true, seen);
        }
    }

    private void add(String at, Change change, boolean isAbove, Map<PlaneClient, List<Change>> seen) {
        for (Watching watching : watches.getOrDefault(at, List.of())) {
            if (watching.isRecursive || !isAbove) {
                List<Change> its = seen.computeIfAbsent(watching.client, key -> new ArrayList<>());
                if (its.isEmpty() || !its.get(its.size() - 1).equals(change)) {
                    its.add(change);
                }
            }
        }
    }

    /** Reads for a session; the reply gets null for a missing znode. */
    <T> void read(PlaneClient client, Reading<T> reading, Consumer<Answer<T>> reply) {
        time.at(
                time.nanoTime() + ONE_WAY_NS,
                () -> time.at(client.readableNs(), () -> {
                    Answer<T> answer = answer(reading);
                    serve(client, time.nanoTime(), READ_NS + answer.bytes * BYTE_NS, () -> reply.accept(answer));
                }));
    }

    /** Reads at once; the session waits for {@link Answer#waitNs}. */
    <T> Answer<T> readNow(Reading<T> reading) {
        return answer(reading);
    }

    private <T> Answer<T> answer(Reading<T> reading) {
        Stat stat = new Stat();
        Answer<T> answer = reading.from(tree, stat);
        reads++;
        bytesRead += answer.bytes;
        return answer;
    }

    /** Occupies the server of a session, then delivers a message to the session. */
    private void serve(PlaneClient client, long fromNs, long costNs, Runnable delivered) {
        int server = client.server();
        freeNs[server] = Math.max(freeNs[server], fromNs) + costNs;
        client.deliver(freeNs[server] + ONE_WAY_NS, delivered);
    }

    /** A read of the tree. */
    @FunctionalInterface
    interface Reading<T> {
        Answer<T> from(PlaneTree tree, Stat stat);
    }

    /**
     * Answer to a read.
     *
     * @param value the value; null for a missing znode
     * @param stat of the znode
     * @param bytes size of the value
     */
    record Answer<T>(T value, Stat stat, long bytes) {
        long waitNs() {
            return 2 * ONE_WAY_NS + READ_NS + bytes * BYTE_NS;
        }
    }
}
