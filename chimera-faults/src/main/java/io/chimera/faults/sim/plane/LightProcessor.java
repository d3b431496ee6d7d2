package io.chimera.faults.sim.plane;

import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.cluster.ShardId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Processor or lane without a data path: commits each of its shards {@link #WORK_NS} after the view shows it. */
final class LightProcessor {
    /** Minimum time for a shard. Each processor adds up to 100 ms, by its session. */
    static final long WORK_NS = 200_000_000;

    private static final long SPREAD_NS = 100_000;
    private static final int SPREAD = 1_000;

    private final String id;
    private final long session;
    private final LightTime time;
    private final LightCluster shared;
    private final Cluster cluster;
    private final Set<ShardId> asked = new HashSet<>();
    private long revision = -1;

    LightProcessor(String id, long session, LightTime time, LightCluster shared, Cluster cluster) {
        this.id = id;
        this.session = session;
        this.time = time;
        this.shared = shared;
        this.cluster = cluster;
    }

    void start(long atNs) {
        time.at(
                atNs,
                () -> cluster.announce(new ProcessorMember(
                        id,
                        session,
                        "10.0.0.2:9600",
                        "10.0.0.2:9610",
                        List.of(new ConfigurationDigest(PlaneRun.DIGEST)),
                        false,
                        List.of(),
                        1)));
    }

    /** Plans the commits of the shards that a new view assigns to this processor. */
    void look() {
        ClusterView view = cluster.view();
        if (view.revision() == revision) {
            return;
        }
        revision = view.revision();
        asked.removeIf(shard -> view.isOver(shard.cycle()));
        for (OpenCycle open : view.open()) {
            view.cutBefore(open.cycle().number()).ifPresent(before -> look(open, before));
        }
    }

    private void look(OpenCycle open, Positions before) {
        Cycle cycle = open.cycle();
        for (int shard = 0; shard < cycle.shards(); shard++) {
            boolean isOwn = open.assignment().processors().get(shard) == session;
            if (isOwn && !open.isCommitted(shard) && asked.add(new ShardId(cycle.number(), shard))) {
                commitLater(open, before, shard);
            }
        }
    }

    private void commitLater(OpenCycle open, Positions before, int shard) {
        Cycle cycle = open.cycle();
        long points = shared.points(cycle, before);
        long rest = shard == 0 ? points % cycle.shards() : 0;
        ShardCommit commit = new ShardCommit(
                cycle.number(),
                shard,
                session,
                new ShardCommit.Accounts(points / cycle.shards() + rest, 0, 0, 0),
                points / cycle.shards(),
                session);
        long spreadNs = Math.floorMod(session, SPREAD) * SPREAD_NS;
        int version = open.assignment().version();
        time.at(time.nanoTime() + WORK_NS + spreadNs, () -> cluster.commit(commit, version));
    }
}
