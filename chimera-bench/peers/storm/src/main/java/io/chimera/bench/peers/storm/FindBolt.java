package io.chimera.bench.peers.storm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chimera.bench.peers.job.TweetReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Finds and emits the hashtags of tweets: a tuple per hashtag, or a tuple for the hashtags of many tweets. */
final class FindBolt extends BaseRichBolt {
    private transient OutputCollector collector;
    private transient ObjectMapper mapper;
    private transient TweetReader reader;

    @Override
    public void prepare(Map<String, Object> config, TopologyContext context, OutputCollector out) {
        collector = out;
        mapper = new ObjectMapper();
        reader = new TweetReader();
        Passes.TWEETS.executorIsReady();
    }

    @Override
    @SuppressWarnings("unchecked")
    public void execute(Tuple tuple) {
        String stream = tuple.getSourceStreamId();
        if (stream.equals(TweetStormPeer.ENDS) || stream.equals(Nudges.STREAM)) {
            collector.emit(stream, new Values(tuple.getValue(0)));
            return;
        }
        try {
            List<String> found = new ArrayList<>();
            for (byte[] tweet : (List<byte[]>) tuple.getValue(0)) {
                if (TweetStormPeer.STREAMING) {
                    found.addAll(reader.tags(tweet, 0, tweet.length));
                } else {
                    tags(tweet).forEach(tag -> collector.emit(new Values(tag)));
                }
            }
            if (!found.isEmpty()) {
                collector.emit(new Values(found));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        collector.ack(tuple);
    }

    private List<String> tags(byte[] bytes) throws IOException {
        JsonNode tweet = mapper.readTree(bytes);
        JsonNode retweeted = tweet.path("retweeted_status");
        JsonNode status = retweeted.isObject() ? retweeted : tweet;
        JsonNode extended = status.path("extended_tweet").path("entities");
        JsonNode entities = extended.isObject() ? extended : status.path("entities");
        List<String> tags = new ArrayList<>();
        for (JsonNode hashtag : entities.path("hashtags")) {
            tags.add(hashtag.path("text").asText().toLowerCase(Locale.ROOT));
        }
        return tags;
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("tags"));
        declarer.declareStream(TweetStormPeer.ENDS, new Fields("pass"));
        declarer.declareStream(Nudges.STREAM, new Fields(Nudges.FIELD));
    }
}
