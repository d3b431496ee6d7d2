package io.chimera.bench.jmh;

import io.chimera.bench.load.PointRecords;
import io.chimera.bench.load.PointShape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
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
 * Measures the limit of connections: bytes written to a socket by one thread and read by another thread, without any
 * processing.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SocketCopyBenchmark {
    /** Approximate number of records of 500-byte points in a frame of 64 KiB, besides some definitions. */
    private static final int BATCH = 1_000;

    private static final int SERIES = 10;

    private static final int READ_BYTES = 256 << 10;

    private final PointRecords records = PointRecords.of(PointShape.FOUR_FIELDS, BATCH, SERIES);
    private final ByteBuffer source = ByteBuffer.allocateDirect(records.length());
    private SocketChannel sender;
    private Thread receiver;

    /** Connects. */
    @Setup
    public void connect() throws IOException {
        records.buffer().getBytes(0, source, 0, records.length());
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            sender = SocketChannel.open(server.getLocalAddress());
            SocketChannel accepted = server.accept();
            receiver = new Thread(() -> readAll(accepted));
            receiver.start();
        }
    }

    private static void readAll(SocketChannel channel) {
        ByteBuffer target = ByteBuffer.allocateDirect(READ_BYTES);
        try (channel) {
            while (channel.read(target) >= 0) {
                target.clear();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Closes the connection. */
    @TearDown
    public void close() throws IOException, InterruptedException {
        sender.close();
        receiver.join();
    }

    /** Writes the bytes of one frame. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int socket() throws IOException {
        source.clear();
        int written = 0;
        while (source.hasRemaining()) {
            written += sender.write(source);
        }
        return written;
    }
}
