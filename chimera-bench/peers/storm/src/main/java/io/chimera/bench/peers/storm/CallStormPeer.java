package io.chimera.bench.peers.storm;

import io.chimera.bench.peers.job.EngineProcess;
import io.chimera.bench.peers.job.Job;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;

/**
 * VoIPSTREAM as a Storm topology in its authors' structure: a source, a cloner that sends a call to one or two
 * detectors by fields grouping, and detectors with the filters. A single source and a single cloner preserve the order
 * of calls; otherwise scores would differ. A local cluster, so tuples pass by reference.
 */
public final class CallStormPeer implements EngineProcess {
    private LocalCluster cluster;

    private CallStormPeer() {}

    /** Runs until its input ends. */
    public static void main(String[] arguments) throws Exception {
        EngineProcess.main(new CallStormPeer());
    }

    @Override
    public void open() throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("calls", new CallSpout(), 1);
        builder.setBolt("clone", new CloneBolt(), 1).shuffleGrouping("calls").allGrouping("calls", Nudges.STREAM);
        builder.setBolt("detect", new DetectBolt(), Job.PARALLELISM)
                .fieldsGrouping("clone", new Fields("detector"))
                .allGrouping("clone", Nudges.STREAM);
        Config config = new Config();
        config.setNumWorkers(1);
        config.setNumAckers(0);
        config.setMaxSpoutPending(500);
        config.setMessageTimeoutSecs(600);
        config.put(Config.TOPOLOGY_PRODUCER_BATCH_SIZE, 10);
        config.put(Config.TOPOLOGY_BATCH_FLUSH_INTERVAL_MILLIS, 5);
        config.put(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE, 1024);
        config.put(Config.TOPOLOGY_STATS_SAMPLE_RATE, 0.001);
        config.put("topology.bolt.wait.progressive.level2.count", 0); // idle bolts sleep instead of spinning
        cluster = new LocalCluster();
        cluster.submitTopology("job", config, builder.createTopology());
        Passes.CALLS.awaitReady();
    }

    @Override
    public void pass() throws InterruptedException {
        Passes.CALLS.begin();
        Passes.CALLS.awaitEnd();
    }

    @Override
    public void close() {
        // the process ends now; an orderly shutdown of a local cluster takes ten seconds
    }
}
