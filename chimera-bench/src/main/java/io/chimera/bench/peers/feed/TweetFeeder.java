package io.chimera.bench.peers.feed;

import io.chimera.bench.peers.job.EngineProcess;
import io.chimera.bench.peers.job.Job;
import io.chimera.bench.peers.job.TweetInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Writes tweets to a TCP port at full speed. */
public final class TweetFeeder implements EngineProcess {
    /** Bytes per write, copied to the socket from the pages of the file. */
    private static final int WRITE_BYTES = 256 << 10;

    private TweetInput input;
    private SocketChannel channel;

    private TweetFeeder() {}

    /** Runs until its input ends. Property {@code feed.targets}: host:port. */
    public static void main(String[] arguments) throws Exception {
        EngineProcess.main(new TweetFeeder());
    }

    @Override
    public void open() throws IOException {
        input = TweetInput.open(Job.INPUT);
        channel = FeedTarget.connect();
    }

    @Override
    public void pass() throws IOException {
        for (int round = 0; round < TweetInput.ROUNDS; round++) {
            ByteBuffer rest = input.bytes();
            int end = rest.limit();
            while (rest.position() < end) {
                rest.limit(Math.min(end, rest.position() + WRITE_BYTES));
                while (rest.hasRemaining()) {
                    channel.write(rest);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
