package io.chimera.bench.paper.channel;

import io.chimera.bench.fold.FoldingProcessor;
import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.Transport;
import io.chimera.common.channel.netty.ChannelThreads;
import io.chimera.common.channel.netty.NettyTransport;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * Process that receives frames until its standard input ends. Its arguments are the listen host and the
 * {@link FrameWork}. For each byte of input, the process prints the number of received frames or folded points.
 */
public final class ReceivingPeer {
    /** Prefix of the line with the port. */
    static final String READY = "ready ";

    /** Prefix of the line with a count. */
    static final String MARK = "mark ";

    private ReceivingPeer() {}

    /** Runs the process. */
    public static void main(String[] arguments) throws IOException {
        FrameWork work = FrameWork.valueOf(arguments[1]);
        try (ChannelThreads threads = new ChannelThreads("receiver");
                Transport transport =
                        new NettyTransport(threads, new Counters<>(ChannelCounter.class), Throwable::printStackTrace)) {
            Endpoint listen = new Endpoint(arguments[0], 0);
            LongSupplier count = work == FrameWork.FOLD ? fold(transport, listen) : count(transport, listen);
            while (System.in.read() >= 0) {
                System.out.println(MARK + count.getAsLong());
            }
        }
    }

    private static void ready(Endpoint address) {
        System.out.println(READY + address.port());
    }

    private static LongSupplier count(Transport transport, Endpoint listen) {
        AtomicLong frames = new AtomicLong();
        ready(transport.listen(listen, () -> new FrameCounter(frames)));
        return frames::get;
    }

    private static LongSupplier fold(Transport transport, Endpoint listen) {
        FoldingProcessor processor = new FoldingProcessor(ProcessorConfig.Warehouse.ON_HEAP);
        Thread staging = new Thread(() -> foldAll(processor), "staging");
        staging.setDaemon(true);
        staging.start();
        ready(transport.listen(listen, processor::accept));
        return processor::folded;
    }

    private static void foldAll(FoldingProcessor processor) {
        IdleStrategy idle = new BackoffIdleStrategy(10, 10, 50_000, 1_000_000);
        while (!Thread.currentThread().isInterrupted()) {
            idle.idle(processor.doWork());
        }
    }

    /** Counts frames, and returns their credit at once. */
    private record FrameCounter(AtomicLong frames) implements ConnectionHandler {
        @Override
        public void onOpen(Connection connection) {}

        @Override
        public boolean onFrame(Connection from, DirectBuffer buffer, int offset, int length) {
            from.consumed(length);
            frames.lazySet(frames.get() + 1); // one connection, so one event loop
            return true;
        }

        @Override
        public void onClose(String reason) {}
    }
}
