package io.chimera.bench.peers.loop;

import io.chimera.bench.peers.job.EngineProcess;
import io.chimera.bench.peers.job.Job;
import io.chimera.bench.peers.job.TagCounts;
import io.chimera.bench.peers.job.TweetInput;
import io.chimera.bench.peers.job.TweetReader;
import java.io.IOException;

/** Single-threaded loop over tweets: reads and counts the hashtags. */
public final class TweetLoopPeer implements EngineProcess {
    private final TweetReader reader = new TweetReader();
    private TweetInput input;

    private TweetLoopPeer() {}

    /** Runs until the end of standard input. */
    public static void main(String[] arguments) throws Exception {
        EngineProcess.main(new TweetLoopPeer());
    }

    @Override
    public void open() throws IOException {
        input = TweetInput.open(Job.INPUT);
    }

    @Override
    public void pass() throws IOException {
        byte[] bytes = new byte[input.lengthMax()];
        TagCounts counts = new TagCounts();
        for (int round = 0; round < TweetInput.ROUNDS; round++) {
            for (int tweet = 0; tweet < input.tweets(); tweet++) {
                for (String tag : reader.tags(bytes, 0, input.copy(tweet, bytes))) {
                    counts.add(tag);
                }
            }
        }
        counts.moveTo(Job.RESULTS);
    }

    @Override
    public void close() {}
}
