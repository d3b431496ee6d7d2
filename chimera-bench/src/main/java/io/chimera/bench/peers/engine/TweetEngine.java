package io.chimera.bench.peers.engine;

import io.chimera.bench.cluster.ClusterInput;
import io.chimera.bench.cluster.ClusterLayout;
import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.cluster.ClusterPlan.Cycles;
import io.chimera.bench.peers.job.ResultTable;
import java.io.IOException;
import java.util.List;

/**
 * Chimera counting hashtags: a cluster of processes reads tweets from a TCP connection, with the points in the journal
 * and rows read back before a cycle is committed. A pass ends when the coordinator has accounted for every hashtag.
 */
public final class TweetEngine implements Engine {
    /** Number of processors: one per core of the machine, as for the peers. */
    private static final int PROCESSORS = 2;

    private static final ClusterPlan PLAN = ClusterPlan.forgetting(
                    ClusterLayout.of(1, PROCESSORS).shared())
            .cycling(Cycles.every("3s"))
            .aggregating("delivery: exactly_once, aggregate: { functions: [sum] }")
            .storing("type: tag_counts");

    private final Workplace workplace;
    private final int rounds;
    private final long hashtags;
    private final ProcessCluster cluster;
    private int passes;

    /**
     * Creates an engine.
     *
     * @param rounds number of reads of the input per pass
     * @param hashtags number of hashtags per pass
     */
    public TweetEngine(Workplace workplace, int rounds, long hashtags) {
        this.workplace = workplace;
        this.rounds = rounds;
        this.hashtags = hashtags;
        cluster = new ProcessCluster(workplace, PLAN, ClusterInput.TWEETS);
    }

    @Override
    public void start() throws IOException, InterruptedException {
        cluster.start(input -> Feeders.tweets(workplace, input, rounds));
    }

    @Override
    public void pass() throws IOException, InterruptedException {
        passes++;
        cluster.pass(passes * hashtags);
    }

    @Override
    public List<Long> pids() {
        return cluster.pids();
    }

    @Override
    public List<Long> feederPids() {
        return cluster.feederPids();
    }

    @Override
    public ResultTable finish() throws IOException {
        return cluster.finish();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
