package io.chimera.bench.paper.channel;

import io.chimera.bench.fold.FoldingProcessor;
import io.chimera.bench.fold.PartFrames;
import io.chimera.bench.load.PointRecords;
import io.chimera.bench.load.PointShape;
import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.Transport;
import io.chimera.common.channel.netty.ChannelThreads;
import io.chimera.common.channel.netty.NettyTransport;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.wire.Hello;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Process that sends frames of 500-byte points at full speed, until its standard input ends. Its arguments are the
 * receiver's host:port and {@link FrameWork}. Frames have at most 64 KiB, as frames of a queue node.
 */
public final class SendingPeer {
    /** Number of records in a frame to count, with some definitions. */
    private static final int POINTS = 1_000;

    /** Series of the points, fewer than in other measurements, because each frame defines its series. */
    private static final int SERIES = 10;

    private final Connection connection;
    private final IdleStrategy idle = new BackoffIdleStrategy(10, 10, 50_000, 1_000_000);

    private SendingPeer(Connection connection) {
        this.connection = connection;
    }

    /** Runs the process. */
    public static void main(String[] arguments) throws IOException {
        FrameWork work = FrameWork.valueOf(arguments[1]);
        try (ChannelThreads threads = new ChannelThreads("sender");
                Transport transport =
                        new NettyTransport(threads, new Counters<>(ChannelCounter.class), Throwable::printStackTrace)) {
            CompletableFuture<Connection> opened = new CompletableFuture<>();
            transport.connect(Endpoint.parse(arguments[0]), new Opening(opened));
            SendingPeer sender = new SendingPeer(opened.join());
            Thread sending = new Thread(() -> sender.run(work, records()), "sending");
            sending.setDaemon(true);
            sending.start();
            while (System.in.read() >= 0) {
                // the end of the input ends the process
            }
        }
    }

    /** Returns the records of a frame. */
    static PointRecords records() {
        return PointRecords.of(PointShape.FOUR_FIELDS, POINTS, SERIES);
    }

    private void run(FrameWork work, PointRecords records) {
        if (work == FrameWork.FOLD) {
            sendParts();
        }
        while (connection.isOpen()) {
            send(records.buffer(), records.length());
        }
    }

    private void sendParts() {
        PartFrames frames = PartFrames.of(PointShape.FOUR_FIELDS);
        Hello hello = FoldingProcessor.hello();
        send(hello.frame(), hello.length());
        int index = 0;
        List<UnsafeBuffer> next = frames.first();
        while (connection.isOpen()) {
            for (int i = 0; i < next.size(); i++) {
                UnsafeBuffer frame = next.get(i);
                PartFrames.number(frame, index++);
                send(frame, frame.capacity());
            }
            next = frames.others();
        }
    }

    /** Offers a frame until the credit suffices, or the connection closes. */
    private void send(DirectBuffer frame, int length) {
        while (!connection.offer(frame, 0, length) && connection.isOpen()) {
            idle.idle();
        }
        idle.reset();
    }

    /** Completes the connection; ignores the receiver's frames. */
    private record Opening(CompletableFuture<Connection> opened) implements ConnectionHandler {
        @Override
        public void onOpen(Connection connection) {
            opened.complete(connection);
        }

        @Override
        public boolean onFrame(Connection from, DirectBuffer buffer, int offset, int length) {
            from.consumed(length);
            return true;
        }

        @Override
        public void onClose(String reason) {
            opened.completeExceptionally(new IllegalStateException("The connection closed: " + reason));
        }
    }
}
