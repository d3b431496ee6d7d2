package io.chimera.processor.flusher;

import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.processor.pipeline.CompletedShard;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Shards stored completely, until the view shows their commit. An unseen commit is repeated under the newest assignment
 * that names this session. A session that had the shard in between wrote the same rows. The flusher's thread.
 */
final class PendingCommits {
    /**
     * Time before an unseen commit is repeated. A commit takes milliseconds; after this time the commit was lost with a
     * connection.
     */
    private static final long REPEAT_NS = TimeUnit.SECONDS.toNanos(1);

    private final long session;
    private final Cluster cluster;
    private final Counters<ProcessorCounter> counters;
    private final List<Pending> all = new ArrayList<>();

    private static final class Pending {
        private final CompletedShard shard;
        private final ShardCommit commit;
        private int version = -1;
        private long askedNs;

        Pending(CompletedShard shard, ShardCommit commit) {
            this.shard = shard;
            this.commit = commit;
        }
    }

    PendingCommits(long session, Cluster cluster, Counters<ProcessorCounter> counters) {
        this.session = session;
        this.cluster = cluster;
        this.counters = counters;
    }

    /** Ownership of a shard in the view. */
    enum Standing {
        OURS,
        /** This session's commit stands. */
        COMMITTED,
        /** Another session has the shard or has committed the shard, or the pipelines of the cycle changed. */
        OVERTAKEN
    }

    Standing standing(ClusterView view, CompletedShard shard) {
        OpenCycle open = view.open(shard.cycle()).orElse(null);
        if (open == null) { // the view only moves on, so the cycle is below the low-water mark
            return Standing.COMMITTED;
        }
        ShardCommit commit = open.commits().get(shard.shard());
        if (commit != null) {
            return commit.session() == session ? Standing.COMMITTED : Standing.OVERTAKEN;
        }
        if (!open.assignment().isFor(shard.digest())) {
            return Standing.OVERTAKEN; // perhaps by the same session with other pipelines
        }
        if (open.assignment().processors().get(shard.shard()) != session) {
            return Standing.OVERTAKEN;
        }
        return open.isVerified() ? Standing.COMMITTED : Standing.OURS;
    }

    /** Counts the end of a shard. */
    void count(Standing standing) {
        counters.increment(
                standing == Standing.COMMITTED
                        ? ProcessorCounter.FLUSHER_SHARDS_COMMITTED
                        : ProcessorCounter.FLUSHER_SHARDS_OVERTAKEN);
    }

    /** Adds a stored shard for its commit. */
    void add(CompletedShard shard, long rowsWritten) {
        ShardCommit commit = new ShardCommit(
                shard.cycle(),
                shard.shard(),
                session,
                new ShardCommit.Accounts(shard.aggregated(), shard.late(), shard.rejected(), shard.filtered()),
                rowsWritten,
                shard.checksum());
        all.add(new Pending(shard, commit));
    }

    /** Sends due commits, and passes on finished shards. */
    int align(ClusterView view, long nowNs, Consumer<CompletedShard> done) {
        int work = 0;
        for (Iterator<Pending> pendings = all.iterator(); pendings.hasNext(); ) {
            Pending pending = pendings.next();
            Standing standing = standing(view, pending.shard);
            if (standing == Standing.OURS) {
                work += ask(view, pending, nowNs);
            } else {
                count(standing);
                pendings.remove();
                done.accept(pending.shard);
                work++;
            }
        }
        return work;
    }

    private int ask(ClusterView view, Pending pending, long nowNs) {
        int version =
                view.open(pending.shard.cycle()).orElseThrow().assignment().version();
        if (version == pending.version && nowNs - pending.askedNs < REPEAT_NS) {
            return 0;
        }
        pending.version = version;
        pending.askedNs = nowNs;
        counters.increment(ProcessorCounter.FLUSHER_COMMITS);
        cluster.commit(pending.commit, version);
        return 1;
    }

    int count() {
        return all.size();
    }
}
