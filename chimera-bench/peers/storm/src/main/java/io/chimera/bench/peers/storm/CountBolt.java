package io.chimera.bench.peers.storm;

import io.chimera.bench.peers.job.Job;
import io.chimera.bench.peers.job.TagCounts;
import java.util.List;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;

/** Counts hashtags. */
final class CountBolt extends BaseRichBolt {
    private transient OutputCollector collector;
    private transient TagCounts counts;
    private transient int ends;

    @Override
    public void prepare(Map<String, Object> config, TopologyContext context, OutputCollector out) {
        collector = out;
        counts = new TagCounts();
        Passes.TWEETS.executorIsReady();
    }

    @Override
    public void execute(Tuple tuple) {
        String stream = tuple.getSourceStreamId();
        if (stream.equals(Nudges.STREAM)) {
            return;
        }
        if (!stream.equals(TweetStormPeer.ENDS)) {
            if (tuple.getValue(0) instanceof List<?> tags) {
                tags.forEach(tag -> counts.add((String) tag));
            } else {
                counts.add(tuple.getString(0));
            }
        } else if (++ends == TweetStormPeer.FINDERS) {
            ends = 0;
            counts.moveTo(Job.RESULTS);
            Passes.TWEETS.hasEnded();
        }
        collector.ack(tuple);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        // the last bolt of the topology
    }
}
