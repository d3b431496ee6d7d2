package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.cluster.ShardId;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes this node's commits. Each transaction also checks that the assignment under which the shard was flushed is
 * still current. Keeps at most one commit per open shard. Used by the agent's thread only.
 */
final class Committer implements ZnodeReconciler {
    private static final Logger LOG = LoggerFactory.getLogger(Committer.class);
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Counters<ClusterCounter> counters;
    private final Map<ShardId, Pending> pending = new LinkedHashMap<>();
    private long nowNs;

    Committer(Counters<ClusterCounter> counters) {
        this.counters = counters;
    }

    private static final class Pending {
        private final ShardCommit commit;
        private final int assignmentVersion;
        private boolean busy;
        private long notBeforeNs;

        Pending(ShardCommit commit, int assignmentVersion, long nowNs) {
            this.commit = commit;
            this.assignmentVersion = assignmentVersion;
            notBeforeNs = nowNs;
        }
    }

    /** Commits a shard; replaces an attempt under an earlier assignment. */
    void commit(ShardCommit commit, int assignmentVersion) {
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
        int work = 0;
        for (Iterator<Pending> all = pending.values().iterator(); all.hasNext(); ) {
            Pending next = all.next();
            if (isSettled(view, next.commit)) {
                all.remove();
            } else if (!next.busy && now - next.notBeforeNs >= 0) {
                next.busy = true;
                write(link, next);
                work++;
            }
        }
        return work;
    }

    @Override
    public void onLinkBroken() {
        pending.values().forEach(commit -> commit.busy = false);
    }

    private static boolean isSettled(ClusterView view, ShardCommit commit) {
        return view.isOver(commit.cycle())
                || view.open(commit.cycle())
                        .filter(open -> open.isCommitted(commit.shard()))
                        .isPresent();
    }

    private void write(ZooKeeperLink link, Pending next) {
        ShardCommit commit = next.commit;
        String path = link.znodes().commit(commit.id());
        List<Op> steps = List.of(
                Op.check(link.znodes().assignment(commit.cycle()), next.assignmentVersion),
                link.persistent(path, ZnodeCodec.encode(commit)));
        link.multi(steps, code -> onReply(next, code));
    }

    private void onReply(Pending done, Code code) {
        ShardCommit commit = done.commit;
        switch (code) {
            case OK -> {
                counters.increment(ClusterCounter.COMMITS);
                forget(done);
            }
            // The znode is from an earlier attempt whose reply was lost, or from the previous processor of the shard;
            // the commit is valid in both cases.
            case NODEEXISTS -> forget(done);
            case BADVERSION, NONODE -> {
                counters.increment(ClusterCounter.COMMITS_FENCED);
                LOG.info("Dropped the commit of {}: the shard was reassigned, or the cycle has ended.", commit.id());
                forget(done);
            }
            default -> {
                counters.increment(ClusterCounter.WRITES_FAILED);
                LOG.debug("Commit of {} failed: {}.", commit.id(), code);
                done.busy = false;
                done.notBeforeNs = nowNs + RETRY_NS;
            }
        }
    }

    /** Removes a finished commit, but not its replacement. */
    private void forget(Pending done) {
        pending.remove(done.commit.id(), done);
    }
}
