package io.chimera.bench.peers.storm;

import io.chimera.bench.peers.job.EngineProcess;
import io.chimera.bench.peers.job.Job;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.topology.TopologyBuilder;

/**
 * The job as a Storm topology: spouts parse points and send tuples of many points to the bolt of their keys, and bolts
 * aggregate. A local cluster, so tuples pass by reference.
 */
public final class StormPeer implements EngineProcess {
    /** Whether Storm tracks tuples until they are aggregated. */
    private static final boolean ACKING = Boolean.getBoolean("peer.acking");

    private LocalCluster cluster;

    private StormPeer() {}

    /** Runs until its input ends. */
    public static void main(String[] arguments) throws Exception {
        EngineProcess.main(new StormPeer());
    }

    @Override
    public void open() throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("points", new PointSpout(ACKING), Job.PARALLELISM);
        builder.setBolt("fold", new FoldBolt(Job.PARALLELISM), Job.PARALLELISM)
                .directGrouping("points")
                .allGrouping("points", Nudges.STREAM);
        Config config = new Config();
        config.setNumWorkers(1);
        config.setNumAckers(ACKING ? 1 : 0);
        config.setMaxSpoutPending(500);
        config.setMessageTimeoutSecs(600);
        config.put(Config.TOPOLOGY_PRODUCER_BATCH_SIZE, 10);
        config.put(Config.TOPOLOGY_BATCH_FLUSH_INTERVAL_MILLIS, 5);
        config.put(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE, 1024);
        config.put(Config.TOPOLOGY_STATS_SAMPLE_RATE, 0.001);
        if (!ACKING) { // with acks a sleeping bolt delays the spout
            config.put("topology.bolt.wait.progressive.level2.count", 0); // idle bolts sleep instead of spinning
        }
        cluster = new LocalCluster();
        cluster.submitTopology("job", config, builder.createTopology());
        Passes.POINTS.awaitReady();
    }

    @Override
    public void pass() throws InterruptedException {
        Passes.POINTS.begin();
        Passes.POINTS.awaitEnd();
    }

    @Override
    public void close() {
        // the process ends now; an orderly shutdown of a local cluster takes ten seconds
    }
}
