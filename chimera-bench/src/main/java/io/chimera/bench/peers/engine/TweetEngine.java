package io.chimera.bench.peers.engine;

import io.chimera.apps.node.child.FreePorts;
import io.chimera.bench.cluster.BenchCluster;
import io.chimera.bench.cluster.ClusterInput;
import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.cluster.NodeMemory;
import io.chimera.bench.peers.counting.CountingStore;
import io.chimera.bench.peers.job.ResultTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Chimera as it counts hashtags: a cluster of processes that takes tweets over a TCP connection, with the points in the
 * journal and rows read back before a cycle counts. A pass is over when the coordinator has accounted for every hashtag.
 */
public final class TweetEngine implements Engine {
    /** As many as the machine has cores, as the peers have. */
    private static final int PROCESSORS = 2;

    private static final ClusterPlan PLAN = new ClusterPlan(
            true,
            1,
            PROCESSORS,
            1,
            "3s",
            "interval",
            "delivery: exactly_once, aggregate: { functions: [sum] }",
            "type: tag_counts",
            NodeMemory.SMALL);

    private final Workplace workplace;
    private final int rounds;
    private final long hashtags;
    private final BenchCluster cluster;
    private PeerProcess feeder;
    private int passes;

    /**
     * Chimera for tweets.
     *
     * @param rounds how many times a pass goes through the input
     * @param hashtags of a pass
     */
    public TweetEngine(Workplace workplace, int rounds, long hashtags) {
        this.workplace = workplace;
        this.rounds = rounds;
        this.hashtags = hashtags;
        cluster = new BenchCluster(
                workplace.home(), workplace.folder(), PLAN, new FreePorts(BenchCluster.PORTS), ClusterInput.TWEETS);
    }

    @Override
    public void start() throws IOException, InterruptedException {
        cluster.start(processor -> List.of("-D" + CountingStore.RESULTS + "=" + results(processor)));
        feeder = Feeders.tweets(workplace, cluster.inputs().get(0), rounds);
    }

    private Path results(String processor) {
        return workplace.folder().resolve(processor + ".results");
    }

    @Override
    public void pass() throws IOException, InterruptedException {
        passes++;
        feeder.go();
        feeder.awaitDone();
        cluster.awaitAggregated(passes * hashtags);
    }

    @Override
    public List<Long> pids() {
        return cluster.pids();
    }

    @Override
    public List<Long> feederPids() {
        return feeder == null ? List.of() : List.of(feeder.pid());
    }

    @Override
    public ResultTable finish() throws IOException, InterruptedException {
        feeder.close();
        cluster.close();
        ResultTable results = new ResultTable();
        for (String processor : cluster.processors()) {
            results.add(ResultTable.read(results(processor)));
        }
        return results;
    }

    @Override
    public void close() {
        if (feeder != null) {
            feeder.close();
        }
        cluster.close();
    }
}
