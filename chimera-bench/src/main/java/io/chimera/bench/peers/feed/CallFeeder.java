package io.chimera.bench.peers.feed;

import io.chimera.bench.peers.job.CallInput;
import io.chimera.bench.peers.job.EngineProcess;
import io.chimera.bench.peers.job.Job;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Writes calls in order to a TCP port at full speed. */
public final class CallFeeder implements EngineProcess {
    /** Bytes per write, copied to the socket from the pages of the file. */
    private static final int WRITE_BYTES = 256 << 10;

    private CallInput input;
    private SocketChannel channel;
    private int passes;

    private CallFeeder() {}

    /** Runs until its input ends. Property {@code feed.targets}: host:port. */
    public static void main(String[] arguments) throws Exception {
        EngineProcess.main(new CallFeeder());
    }

    @Override
    public void open() throws IOException {
        input = CallInput.open(Job.INPUT, CallInput.CALLS);
        channel = FeedTarget.connect();
    }

    @Override
    public void pass() throws IOException {
        ByteBuffer rest = input.pass(passes++);
        int end = rest.limit();
        while (rest.position() < end) {
            rest.limit(Math.min(end, rest.position() + WRITE_BYTES));
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
