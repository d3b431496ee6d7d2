package io.chimera.bench.peers.storm;

import io.chimera.bench.peers.job.Job;
import io.chimera.bench.peers.job.TweetInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/** Emits the bytes of tweets, one or many per tuple. */
final class TweetSpout extends BaseRichSpout {
    private transient SpoutOutputCollector collector;
    private transient TweetInput input;
    private transient int pass;
    private transient int round;
    private transient int next;
    private transient Nudges nudges;

    @Override
    public void open(Map<String, Object> config, TopologyContext context, SpoutOutputCollector out) {
        collector = out;
        nudges = new Nudges(out);
        round = TweetInput.ROUNDS;
        try {
            input = TweetInput.open(Job.INPUT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Passes.TWEETS.executorIsReady();
    }

    @Override
    public void nextTuple() {
        if (round == TweetInput.ROUNDS) {
            if (pass == Passes.TWEETS.begun()) {
                nudges.send(pass);
                return;
            }
            pass++;
            round = 0;
        }
        List<byte[]> tweets = new ArrayList<>(TweetStormPeer.BATCH);
        while (tweets.size() < TweetStormPeer.BATCH && next < input.tweets()) {
            tweets.add(input.tweet(next++));
        }
        collector.emit(new Values(tweets));
        if (next == input.tweets()) {
            next = 0;
            round++;
            if (round == TweetInput.ROUNDS) {
                collector.emit(TweetStormPeer.ENDS, new Values(pass));
            }
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("tweets"));
        declarer.declareStream(TweetStormPeer.ENDS, new Fields("pass"));
        declarer.declareStream(Nudges.STREAM, new Fields(Nudges.FIELD));
    }
}
