package io.chimera.common.composition;

import io.chimera.api.HotPath;
import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PointBuilder;
import io.chimera.common.wire.encode.PointEncoder;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Output of one block. The output for a point is buffered until the block returns, so a failure of the block can drop
 * the output. At the end of a cycle, with output of any size, each point is forwarded immediately. Single-threaded;
 * reuses its memory.
 */
final class Emissions implements Outlet {
    /** Maximum output of a block for one point: about 100,000 points of 150 bytes. */
    private static final int BYTES_MAX = 16 << 20;

    private static final int PASSED = -1;

    /** Consumers of each gate. */
    private final PointConsumer[][] takers;

    private final PointAssembly assembly = new PointAssembly(this);
    private final PointFlyweight emitted = new PointFlyweight();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[4 << 10]);
    private int used;
    private int[] gates = new int[16];
    private int[] places = new int[16];
    private int count;

    /** Current input point of the block; null at the end of a cycle. */
    private PointFlyweight given;

    private long timeNs;
    private int partition;
    private int key;

    /** Exception of a downstream consumer, thrown through the block; not a fault of the block. */
    private Throwable foreign;

    Emissions(PointConsumer[][] takers) {
        this.takers = takers;
    }

    /** Begins to collect the output for a point. */
    @HotPath
    void begin(PointFlyweight point, int newPartition) {
        given = point;
        timeNs = point.timeNs();
        partition = newPartition;
        key = point.key();
        count = 0;
        used = 0;
    }

    /** Begins to forward the output at the end of a cycle. */
    void beginEnd(long cycleTimeNs, int newPartition) {
        given = null;
        timeNs = cycleTimeNs;
        partition = newPartition;
        key = 0;
        count = 0;
        used = 0;
        foreign = null;
    }

    PointFlyweight given() {
        return given;
    }

    /** Exception of a downstream consumer at the end of a cycle, or null. */
    Throwable foreign() {
        return foreign;
    }

    /** Drops the collected output. */
    void drop() {
        count = 0;
        assembly.drop();
    }

    @Override
    @HotPath
    public void pass(int gate) {
        if (given == null) {
            throw new IllegalStateException("Cannot pass a point at the end of a cycle.");
        }
        if (takersOf(gate).length > 0) {
            note(gate, PASSED);
        }
    }

    @Override
    @HotPath
    public PointBuilder point(int gate) {
        if (takersOf(gate).length == 0) {
            assembly.drop();
            return UntakenPoint.BUILDER;
        }
        return assembly.begin(gate, timeNs);
    }

    private PointConsumer[] takersOf(int gate) {
        if (gate < 0 || gate >= takers.length) {
            throw new IllegalArgumentException(
                    "Invalid gate " + gate + "; number of gates of the block: " + takers.length + ".");
        }
        return takers[gate];
    }

    /** Adds a finished point. */
    @HotPath
    void add(int gate, PointEncoder encoder, int length) {
        if (used + length > buffer.capacity()) {
            grow(used + length);
        }
        encoder.write(buffer, used);
        if (given == null) {
            forwardAtOnce(gate);
        } else {
            note(gate, used);
            used += length;
        }
    }

    private void grow(int needed) {
        if (needed > BYTES_MAX) {
            throw new IllegalStateException("A block emitted more than 16 MiB for one point.");
        }
        byte[] larger = Arrays.copyOf(buffer.byteArray(), Math.min(BYTES_MAX, Math.max(needed, 2 * buffer.capacity())));
        buffer.wrap(larger);
    }

    private void note(int gate, int place) {
        if (count == gates.length) {
            gates = Arrays.copyOf(gates, 2 * count);
            places = Arrays.copyOf(places, 2 * count);
        }
        gates[count] = gate;
        places[count++] = place;
    }

    private void forwardAtOnce(int gate) {
        try {
            give(gate, emitted.wrap(buffer, 0));
        } catch (RuntimeException | Error e) {
            foreign = e;
            throw e;
        }
    }

    /** Forwards the output for the point, in the order of its emission. */
    @HotPath
    void forward() {
        for (int i = 0; i < count; i++) {
            give(
                    gates[i],
                    places[i] == PASSED
                            ? given
                            : emitted.wrap(buffer, places[i]).by(key));
        }
    }

    private void give(int gate, PointFlyweight point) {
        for (PointConsumer taker : takers[gate]) {
            taker.accept(point, partition);
        }
    }
}
