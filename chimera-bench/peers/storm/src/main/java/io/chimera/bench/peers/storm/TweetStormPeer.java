package io.chimera.bench.peers.storm;

import io.chimera.bench.peers.job.Peer;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;

/**
 * Hashtags of tweets as a Storm topology: a spout that hands tweets out, two bolts that find hashtags, and one that counts
 * them. A local cluster, so tuples pass by reference. Either as one would write it first, with a tuple for each tweet and
 * hashtag and a tree of each tweet, or with a hundred tweets and their hashtags in a tuple and the streaming parser.
 */
public final class TweetStormPeer implements Peer {
    static final boolean STREAMING = Boolean.getBoolean("peer.streaming");

    /** Tweets of a tuple. */
    static final int BATCH = STREAMING ? 100 : 1;

    /**
     * Tuples that wait for each finder. A hundred tweets have 275 KB: as many of them as of single ones would be 560 MB that
     * live, of a heap of 1 GiB whose old half has 680, and collecting would be most of what Storm does.
     */
    private static final int QUEUE = STREAMING ? 64 : 1_024;

    static final String ENDS = "ends";

    /** Most of the work is here; one for each core. */
    static final int FINDERS = 2;

    private LocalCluster cluster;

    private TweetStormPeer() {}

    /** Runs until it is told to end. */
    public static void main(String[] arguments) throws Exception {
        Peer.main(new TweetStormPeer());
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
        config.put(Config.TOPOLOGY_PRODUCER_BATCH_SIZE, STREAMING ? 1 : 10); // its tuples are batches already
        config.put(Config.TOPOLOGY_BATCH_FLUSH_INTERVAL_MILLIS, 5);
        config.put(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE, QUEUE);
        config.put(Config.TOPOLOGY_STATS_SAMPLE_RATE, 0.001);
        config.put("topology.bolt.wait.progressive.level2.count", 0); // idle bolts sleep instead of burning their core
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
        // the process ends now; an orderly end of a local cluster takes ten seconds
    }
}
