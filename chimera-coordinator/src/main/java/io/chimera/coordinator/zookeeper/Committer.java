package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.cluster.ShardId;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the commits of all members of this process. A transaction has all commits of a cycle that are ready, and
 * checks that the assignment under which the shards were flushed is still current. Commits wait for other shards of
 * this process at most {@link #GATHER_NS} per shard of the cycle, and for a pending transaction of the cycle. After a
 * refusal each commit of the transaction is repeated alone. Keeps at most one commit per open shard. Used by the
 * agent's thread only.
 */
final class Committer implements ZnodeReconciler {
    private static final Logger LOG = LoggerFactory.getLogger(Committer.class);
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Maximum number of commits per transaction: 64 times 300 bytes are far below the limit of a request. */
    private static final int BATCH_MAX = 64;

    /**
     * Maximum wait for other shards of this process, per shard of the cycle: 20 ms with 1,000 shards, and next to
     * nothing in a small cluster. A write costs ZooKeeper about as much.
     */
    private static final long GATHER_NS = 20_000;

    private final SessionAgent agent;
    private final Counters<ClusterCounter> counters;
    private final Map<ShardId, Pending> pending = new LinkedHashMap<>();
    /** Sessions of the processors of this process. */
    private final Set<Long> sessions = new HashSet<>();

    private long nowNs;

    Committer(SessionAgent agent, Counters<ClusterCounter> counters) {
        this.agent = agent;
        this.counters = counters;
    }

    /**
     * State of a commit until the view shows the commit, or the assignment changed.
     *
     * <pre>
     * from           event                                          to
     * WAITING        a transaction with other commits was sent      WRITING
     * WRITING        ZooKeeper refused the other commits, too       WAITING_ALONE
     * WRITING        the write failed; the connection broke         WAITING
     * WAITING_ALONE  a transaction with this commit was sent        WRITING_ALONE
     * WRITING_ALONE  the write failed; the connection broke         WAITING_ALONE
     * </pre>
     */
    private enum State {
        WAITING,
        WRITING,
        WAITING_ALONE,
        WRITING_ALONE;

        State sent() {
            return this == WAITING || this == WRITING ? WRITING : WRITING_ALONE;
        }

        State failed() {
            return this == WAITING || this == WRITING ? WAITING : WAITING_ALONE;
        }
    }

    private static final class Pending {
        private final ShardCommit commit;
        private final int assignmentVersion;
        private State state = State.WAITING;
        private long notBeforeNs;

        Pending(ShardCommit commit, int assignmentVersion, long nowNs) {
            this.commit = commit;
            this.assignmentVersion = assignmentVersion;
            notBeforeNs = nowNs;
        }
    }

    /** Commits with the same check. */
    private record Batch(long cycle, int assignmentVersion) implements Comparable<Batch> {
        static Batch of(Pending one) {
            return new Batch(one.commit.cycle(), one.assignmentVersion);
        }

        @Override
        public int compareTo(Batch other) {
            return cycle != other.cycle
                    ? Long.compare(cycle, other.cycle)
                    : Integer.compare(assignmentVersion, other.assignmentVersion);
        }
    }

    /** Commits a shard; replaces an attempt under an earlier assignment. */
    void commit(ShardCommit commit, int assignmentVersion) {
        sessions.add(commit.session());
        ShardId shard = commit.id();
        Pending earlier = pending.get(shard);
        if (earlier == null || earlier.assignmentVersion < assignmentVersion) {
            pending.remove(shard);
            pending.put(shard, new Pending(commit, assignmentVersion, nowNs));
        }
    }

    @Override
    public int reconcile(ZooKeeperLink link, ClusterView view, long now) {
        nowNs = now;
        pending.values().removeIf(next -> isSettled(view, next.commit));
        Map<Batch, List<Pending>> due = new TreeMap<>();
        int work = 0;
        for (Pending next : pending.values()) {
            if (now - next.notBeforeNs < 0) {
                continue;
            }
            if (next.state == State.WAITING_ALONE) {
                write(link, List.of(next));
                work++;
            } else if (next.state == State.WAITING) {
                due.computeIfAbsent(Batch.of(next), key -> new ArrayList<>()).add(next);
            }
        }
        pending.values().stream()
                .filter(next -> next.state == State.WRITING)
                .forEach(next -> due.remove(Batch.of(next)));
        due.values().removeIf(batch -> isAwaiting(view, batch));
        for (List<Pending> batch : due.values()) {
            write(link, List.copyOf(batch.subList(0, Math.min(batch.size(), BATCH_MAX))));
            work++;
        }
        return work;
    }

    @Override
    public void onLinkBroken() {
        pending.values().forEach(commit -> commit.state = commit.state.failed());
    }

    /** Returns whether a batch waits for further shards of this process. */
    private boolean isAwaiting(ClusterView view, List<Pending> batch) {
        OpenCycle open = view.open(batch.get(0).commit.cycle()).orElse(null);
        if (open == null || nowNs - batch.get(0).notBeforeNs >= open.cycle().shards() * GATHER_NS) {
            return false;
        }
        for (int shard = 0; shard < open.cycle().shards(); shard++) {
            boolean isOwn = sessions.contains(open.assignment().processors().get(shard));
            ShardId id = new ShardId(open.cycle().number(), shard);
            if (isOwn && !open.isCommitted(shard) && !pending.containsKey(id)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSettled(ClusterView view, ShardCommit commit) {
        return view.isOver(commit.cycle())
                || view.open(commit.cycle())
                        .filter(open -> open.isCommitted(commit.shard()))
                        .isPresent();
    }

    private void write(ZooKeeperLink link, List<Pending> batch) {
        Pending first = batch.get(0);
        List<Op> steps = new ArrayList<>();
        steps.add(Op.check(link.znodes().assignment(first.commit.cycle()), first.assignmentVersion));
        for (Pending next : batch) {
            next.state = next.state.sent();
            steps.add(link.persistent(pathOf(link, next), ZnodeCodec.encode(next.commit)));
        }
        link.multi(steps, code -> {
            if (code != Code.OK && batch.size() > 1) {
                batch.forEach(refused -> refused.state = State.WAITING_ALONE);
            } else {
                batch.forEach(done -> onReply(link, done, code));
            }
        });
    }

    private static String pathOf(ZooKeeperLink link, Pending one) {
        return link.znodes().commit(one.commit.id());
    }

    private void onReply(ZooKeeperLink link, Pending done, Code code) {
        ShardCommit commit = done.commit;
        switch (code) {
            case OK -> {
                counters.increment(ClusterCounter.COMMITS);
                forget(link, done);
            }
            // The znode is from an earlier attempt whose reply was lost, or from the previous processor of the shard;
            // the commit is valid in both cases.
            case NODEEXISTS -> forget(link, done);
            case BADVERSION, NONODE -> {
                counters.increment(ClusterCounter.COMMITS_FENCED);
                LOG.info("Dropped the commit of {}: the shard was reassigned, or the cycle has ended.", commit.id());
                pending.remove(commit.id(), done);
            }
            default -> {
                counters.increment(ClusterCounter.WRITES_FAILED);
                LOG.debug("Commit of {} failed: {}.", commit.id(), code);
                done.state = done.state.failed();
                done.notBeforeNs = nowNs + RETRY_NS;
            }
        }
    }

    /**
     * Removes a finished commit, but not its replacement, and reads the commit of the shard: the view of a member shows
     * only these commits.
     */
    private void forget(ZooKeeperLink link, Pending done) {
        pending.remove(done.commit.id(), done);
        agent.readOwn(pathOf(link, done));
    }
}
