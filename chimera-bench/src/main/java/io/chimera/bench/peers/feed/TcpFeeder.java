package io.chimera.bench.peers.feed;

import io.chimera.bench.peers.job.EngineProcess;
import io.chimera.bench.peers.job.Job;
import io.chimera.bench.peers.job.PointInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Sends the points over one TCP connection without answers. */
public final class TcpFeeder implements EngineProcess {
    private static final int WRITE_LINES = 1_000;

    /** Digits of the time at the end of each line, in nanoseconds since 1970. */
    private static final int TIME_DIGITS = 19;

    /**
     * Time shift between passes, longer than the time range of the points: a store then appends, as with the points of
     * agents. Repeated times would be out-of-order rows, which the store must merge.
     */
    private static final long PASS_NS = 40_000L * 1_000_000_000L;

    private int passes;

    private PointInput input;
    private SocketChannel channel;

    private TcpFeeder() {}

    /** Runs until its input ends. Property {@code feed.targets}: host:port. */
    public static void main(String[] arguments) throws Exception {
        EngineProcess.main(new TcpFeeder());
    }

    @Override
    public void open() throws IOException {
        input = PointInput.open(Job.INPUT, Job.LINE_LENGTH);
        channel = FeedTarget.connect();
    }

    @Override
    public void pass() throws IOException {
        int length = input.lineLength();
        byte[] bytes = new byte[WRITE_LINES * length];
        for (int first = 0; first < input.points(); first += WRITE_LINES) {
            int count = Math.min(WRITE_LINES, input.points() - first);
            input.copy(first, count, bytes);
            for (int line = 1; line <= count; line++) {
                delay(bytes, line * length - 1 - TIME_DIGITS, passes * PASS_NS);
            }
            ByteBuffer lines = ByteBuffer.wrap(bytes, 0, count * length);
            while (lines.hasRemaining()) {
                channel.write(lines);
            }
        }
        passes++;
    }

    /** Adds a duration to the decimal time at an index. */
    static void delay(byte[] bytes, int index, long ns) {
        long rest = ns;
        for (int i = index + TIME_DIGITS - 1; rest > 0; i--) {
            rest += bytes[i] - '0';
            bytes[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
