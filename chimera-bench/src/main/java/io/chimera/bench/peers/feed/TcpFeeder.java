package io.chimera.bench.peers.feed;

import io.chimera.bench.peers.job.Job;
import io.chimera.bench.peers.job.Peer;
import io.chimera.bench.peers.job.PointInput;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Sends the points over one TCP connection that nobody answers on. */
public final class TcpFeeder implements Peer {
    private static final int WRITE_LINES = 1_000;

    private PointInput input;
    private SocketChannel channel;

    private TcpFeeder() {}

    /** Runs until it is told to end. Property {@code feed.targets}: host:port. */
    public static void main(String[] arguments) throws Exception {
        Peer.main(new TcpFeeder());
    }

    @Override
    public void open() throws IOException {
        input = PointInput.open(Job.INPUT, Job.LINE_LENGTH);
        String target = System.getProperty("feed.targets", "");
        int colon = target.lastIndexOf(':');
        channel = SocketChannel.open(
                new InetSocketAddress(target.substring(0, colon), Integer.parseInt(target.substring(colon + 1))));
    }

    @Override
    public void pass() throws IOException {
        for (int first = 0; first < input.points(); first += WRITE_LINES) {
            ByteBuffer lines = input.lines(first, Math.min(WRITE_LINES, input.points() - first));
            while (lines.hasRemaining()) {
                channel.write(lines);
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
