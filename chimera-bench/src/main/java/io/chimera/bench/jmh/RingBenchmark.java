package io.chimera.bench.jmh;

import io.chimera.bench.load.PointRecords;
import io.chimera.bench.load.PointShape;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.ring.Slot;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.BodyReader;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Control;

/**
 * Measures the ring between two threads: the producer copies batches of records into slots, the consumer walks them in
 * place. The result is the producer's time per record; the producer waits for a full ring, so the slower thread
 * determines the result.
 */
@State(Scope.Group)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RingBenchmark {
    /** Points per slot: one request with points of 1,000 series fills a slot. */
    private static final int BATCH = 3_000;

    private static final long SPINS = 1_000;

    /** Points per call. A larger bulk than a slot holds goes into several slots of equal size. */
    @Param("" + BATCH)
    public int bulk;

    private final BatchRing ring = new BatchRing(16, BatchLayout.LENGTH_MAX);
    private final BodyReader body = new BodyReader();
    private final BatchRing.SlotHandler walk = this::walk;
    private final IdleStrategy producing = yielding();
    private final IdleStrategy consuming = yielding();
    private PointRecords records;
    private int slots;
    private long walked;

    /** Returns a strategy that gives the core to the other thread when the other thread waits for a core. */
    private static IdleStrategy yielding() {
        return new BackoffIdleStrategy(SPINS, Long.MAX_VALUE, 1, 1);
    }

    /** Fills the source of the copies. */
    @Setup
    public void fill() {
        slots = (bulk + BATCH - 1) / BATCH;
        records = PointRecords.of(PointShape.FOUR_FIELDS, bulk / slots);
    }

    /** Publishes a bulk. */
    @Benchmark
    @Group("ring")
    @OperationsPerInvocation(BATCH)
    public long produce(Control control) {
        long sequence = 0;
        for (int i = 0; i < slots && sequence >= 0; i++) {
            sequence = publish(control);
        }
        return sequence;
    }

    private long publish(Control control) {
        long sequence = ring.tryClaim();
        while (sequence < 0 && !control.stopMeasurement) {
            producing.idle();
            sequence = ring.tryClaim();
        }
        producing.reset();
        if (sequence >= 0) {
            Slot slot = ring.slot(sequence);
            slot.buffer().putBytes(BatchLayout.HEADER_LENGTH, records.buffer(), 0, records.length());
            slot.fill(BatchLayout.HEADER_LENGTH + records.length(), records.count(), null);
            ring.publish(sequence);
        }
        return sequence;
    }

    /** Consumes a bulk. */
    @Benchmark
    @Group("ring")
    @OperationsPerInvocation(BATCH)
    public long consume(Control control) {
        for (int i = 0; i < slots; i++) {
            while (ring.poll(walk, 1) == 0 && !control.stopMeasurement) {
                consuming.idle();
            }
            consuming.reset();
        }
        return walked;
    }

    private boolean walk(Slot slot) {
        body.wrap(slot.buffer(), BatchLayout.HEADER_LENGTH, slot.length());
        while (body.nextRecord()) {
            walked += body.record().timeNs();
        }
        return true;
    }
}
