package io.chimera.coordinator;

import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.ShardCommit;
import java.util.HashSet;
import java.util.Set;
import org.agrona.concurrent.Agent;

/** Commits every assigned shard: shard 0 accounts for all points of its cycle, the other shards for none. */
final class EagerProcessor implements Agent {
    private final Cluster cluster;
    private final ProcessorMember self;
    private final Set<String> committed = new HashSet<>();
    private volatile boolean idle;

    EagerProcessor(Cluster cluster, String id, long session) {
        this.cluster = cluster;
        self = new ProcessorMember(id, session, "127.0.0.1:1", "127.0.0.1:2", "d", false);
        cluster.announce(self);
    }

    /** Stops all work while the session stays live. */
    void idle() {
        idle = true;
    }

    @Override
    public int doWork() {
        if (idle) {
            return 0;
        }
        ClusterView view = cluster.view();
        int work = 0;
        for (OpenCycle open : view.cycles().values()) {
            for (int shard = 0; shard < open.cycle().shards(); shard++) {
                work += commit(view, open, shard);
            }
        }
        return work;
    }

    private int commit(ClusterView view, OpenCycle open, int shard) {
        long cycle = open.cycle().number();
        boolean mine = open.assignment().processors().get(shard) == self.session();
        String attempt = cycle + "/" + shard + "/" + open.assignment().version();
        if (!mine || open.isCommitted(shard) || view.cutBefore(cycle).isEmpty() || !committed.add(attempt)) {
            return 0;
        }
        long points = shard == 0
                ? open.cycle().cut().recordsSince(view.cutBefore(cycle).get())
                : 0;
        cluster.commit(
                new ShardCommit(cycle, shard, self.session(), new ShardCommit.Accounts(points, 0, 0, 0), points, 1),
                open.assignment().version());
        return 1;
    }

    @Override
    public String roleName() {
        return self.id();
    }
}
