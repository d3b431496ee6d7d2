package io.chimera.bench.jmh;

import io.chimera.bench.load.PointRecords;
import io.chimera.bench.load.PointShape;
import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.netty.ChannelThreads;
import io.chimera.common.channel.netty.NettyTransport;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures one loopback connection with frames of about 64 KiB of records: copied, checked at both ends, and paid for
 * with credit. The result is the sender's time per record after the initial credit is used up, so it is the pace of the
 * slowest of sender, event loops and receiver.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ChannelBenchmark {
    /** Approximate number of records of 500-byte points in a frame of 64 KiB, besides some definitions. */
    private static final int BATCH = 1_000;

    private static final int SERIES = 10;

    private final PointRecords records = PointRecords.of(PointShape.FOUR_FIELDS, BATCH, SERIES);
    private final IdleStrategy idle = new BackoffIdleStrategy(10, 10, 50_000, 1_000_000);
    private ChannelThreads threads;
    private NettyTransport transport;
    private Connection connection;

    /** Connects. */
    @Setup
    public void connect() {
        threads = new ChannelThreads("bench");
        transport = new NettyTransport(threads, new Counters<>(ChannelCounter.class), Throwable::printStackTrace);
        Endpoint address = transport.listen(new Endpoint("127.0.0.1", 0), () -> new Consumer(null));
        CompletableFuture<Connection> opened = new CompletableFuture<>();
        transport.connect(address, new Consumer(opened));
        connection = opened.join();
    }

    /** Closes the connection. */
    @TearDown
    public void close() {
        transport.close();
        threads.close();
    }

    /** Offers a frame, and waits for credit as an agent does. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public boolean frames() {
        while (!connection.offer(records.buffer(), 0, records.length())) {
            if (!connection.isOpen()) {
                throw new IllegalStateException("The connection broke.");
            }
            idle.idle();
        }
        idle.reset();
        return true;
    }

    private record Consumer(CompletableFuture<Connection> opened) implements ConnectionHandler {
        @Override
        public void onOpen(Connection connection) {
            if (opened != null) {
                opened.complete(connection);
            }
        }

        @Override
        public boolean onFrame(Connection from, DirectBuffer buffer, int offset, int length) {
            from.consumed(length);
            return true;
        }

        @Override
        public void onClose(String reason) {}
    }
}
