package io.chimera.bench.jmh;

import io.chimera.archive.query.filter.PacketFilter;
import io.chimera.archive.query.key.KeySink;
import io.chimera.archive.query.key.PacketKeys;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Measures the filter and the index keys of archive packets. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FilterBenchmark {
    private static final int PACKETS = 20_000;
    private static final int SPACING = 128;
    private static final int CAPTURED = 64;
    private static final int ETHERNET = 1;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int[] PORTS = {80, 443, 53, 22};

    private final UnsafeBuffer packets = packets();
    private final PacketFilter filter = PacketFilter.compile("tcp port 443 and host 192.0.2.9", ETHERNET);
    private final Sum sum = new Sum();
    private final PacketKeys keys = new PacketKeys(ETHERNET, sum);

    private static UnsafeBuffer packets() {
        UnsafeBuffer buffer = new UnsafeBuffer(BufferUtil.allocateDirectAligned(PACKETS * SPACING, Long.BYTES));
        Random random = new Random(1);
        ByteBuffer frame = ByteBuffer.allocate(CAPTURED);
        for (int i = 0; i < PACKETS; i++) {
            frame.clear();
            frame.putLong(0)
                    .putInt(0)
                    .putShort((short) 0x0800)
                    .putInt(0x4500_0028)
                    .putInt(0);
            frame.put((byte) 64)
                    .put((byte) (random.nextInt(4) == 0 ? UDP : TCP))
                    .putShort((short) 0);
            frame.putInt(0x0A00_0000 | random.nextInt(1 << 16)).putInt(0xC000_0200 | random.nextInt(256));
            frame.putShort((short) random.nextInt(1 << 16)).putShort((short) PORTS[random.nextInt(PORTS.length)]);
            buffer.putBytes(i * SPACING, frame.array());
        }
        return buffer;
    }

    /** Filters by a TCP port and an address. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public int filter() {
        int matches = 0;
        for (int i = 0; i < PACKETS; i++) {
            matches += filter.matches(packets.addressOffset() + (long) i * SPACING, CAPTURED, CAPTURED) ? 1 : 0;
        }
        return matches;
    }

    /** Computes all index keys: addresses, nets, ports, combinations, protocol. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public long keys() {
        for (int i = 0; i < PACKETS; i++) {
            keys.add(packets.addressOffset() + (long) i * SPACING, CAPTURED);
        }
        return sum.total;
    }

    /** Sums up keys. */
    private static final class Sum implements KeySink {
        private long total;

        @Override
        public void add(int key, long hash) {
            total += hash;
        }

        @Override
        public void addRange(int key, long value) {
            total += value;
        }

        @Override
        public boolean isRecent(long first, long second) {
            return false;
        }
    }
}
