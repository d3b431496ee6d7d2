package io.chimera.bench.peers.storm;

import io.chimera.bench.peers.job.EngineProcess;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;

/**
 * Hashtags of tweets as a Storm topology: a spout of tweets, two bolts to find hashtags, and a bolt to count hashtags.
 * A local cluster, so tuples pass by reference. Either in the obvious form, with a tuple per tweet and hashtag and a
 * JSON tree per tweet, or with tuples of a hundred tweets and their hashtags and the streaming parser.
 */
public final class TweetStormPeer implements EngineProcess {
    static final boolean STREAMING = Boolean.getBoolean("peer.streaming");

    /** Tweets per tuple. */
    static final int BATCH = STREAMING ? 100 : 1;

    /**
     * Queue length of each finder in tuples. A hundred tweets have 275 KB: the queue length for single tweets would
     * keep 560 MB alive in a heap of 1 GiB with an old generation of 680 MB, and garbage collection would dominate.
     */
    private static final int QUEUE = STREAMING ? 64 : 1_024;

    static final String ENDS = "ends";

    /** Number of finders, which do most of the work; one finder per core. */
    static final int FINDERS = 2;

    private LocalCluster cluster;

    private TweetStormPeer() {}

    /** Runs until its input ends. */
    public static void main(String[] arguments) throws Exception {
        EngineProcess.main(new TweetStormPeer());
    }

    @Override
    public void open() throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("tweets", new TweetSpout(), 1);
        builder.setBolt("find", new FindBolt(), FINDERS)
                .shuffleGrouping("tweets")
                .allGrouping("tweets", ENDS)
                .allGrouping("tweets", Nudges.STREAM);
        builder.setBolt("count", new CountBolt(), 1)
                .fieldsGrouping("find", new Fields("tags"))
                .allGrouping("find", ENDS)
                .allGrouping("find", Nudges.STREAM);
        Config config = new Config();
        config.setNumWorkers(1);
        config.setNumAckers(0);
        config.setMaxSpoutPending(500);
        config.setMessageTimeoutSecs(600);
        config.put(Config.TOPOLOGY_PRODUCER_BATCH_SIZE, STREAMING ? 1 : 10); // the tuples are batches already
        config.put(Config.TOPOLOGY_BATCH_FLUSH_INTERVAL_MILLIS, 5);
        config.put(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE, QUEUE);
        config.put(Config.TOPOLOGY_STATS_SAMPLE_RATE, 0.001);
        config.put("topology.bolt.wait.progressive.level2.count", 0); // idle bolts sleep instead of spinning
        cluster = new LocalCluster();
        cluster.submitTopology("job", config, builder.createTopology());
        Passes.TWEETS.awaitReady();
    }

    @Override
    public void pass() throws InterruptedException {
        Passes.TWEETS.begin();
        Passes.TWEETS.awaitEnd();
    }

    @Override
    public void close() {
        // the process ends now; an orderly shutdown of a local cluster takes ten seconds
    }
}
