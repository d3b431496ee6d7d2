package io.chimera.flow.capture;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.ring.Completion;
import io.chimera.common.ring.Slot;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.encode.EncodingSink;
import io.chimera.common.wire.encode.RecordEncoder;
import io.chimera.flow.table.FlowOrigin;
import io.chimera.flow.table.FlowPoint;
import io.chimera.flow.table.FlowRecord;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Encodes records as data points in private memory, and copies complete batches to the node's ring; never waits for the
 * ring. Used by one thread, except for the completion calls.
 */
final class FlowOutlet implements Completion, EncodingSink {
    /** Upper bound for a point with its definitions: 17 fields, two of them addresses, and up to 7 tags. */
    private static final int POINT_LENGTH_MAX = 2_048;

    private final BatchRing ring;
    private final Counters<QueueCounter> counters;
    private final FlowPoint point;
    private final int input;
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[BatchLayout.LENGTH_MAX]);
    private final RecordEncoder encoder = new RecordEncoder();
    private final AtomicInteger underWay = new AtomicInteger();
    private int count;
    private long timeNs;

    FlowOutlet(BatchRing ring, FlowPoint point, int input, Counters<QueueCounter> counters) {
        this.ring = ring;
        this.point = point;
        this.input = input;
        this.counters = counters;
        clear();
    }

    private void clear() {
        // stream 0 means a batch of this node, sealed later by the journaler
        buffer.putLong(BatchLayout.STREAM, 0, LITTLE_ENDIAN);
        encoder.open(buffer, BatchLayout.HEADER_LENGTH, buffer.capacity());
        count = 0;
    }

    /** Writes a record; false when both the batch and the ring are full. */
    @HotPath
    boolean add(FlowRecord record) {
        return point.write(record, FlowOrigin.CAPTURE, this) != FlowPoint.NO_ROOM;
    }

    @Override
    @HotPath
    public boolean begin(int textLength) {
        boolean isFull =
                buffer.capacity() - encoder.position() < POINT_LENGTH_MAX || count >= BodyLayout.DEFINITIONS_MAX - 1;
        if (isFull && !publish()) {
            return false;
        }
        encoder.begin();
        return true;
    }

    @Override
    @HotPath
    public RecordEncoder encoder() {
        return encoder;
    }

    @Override
    @HotPath
    public void time(long newTimeNs) {
        timeNs = newTimeNs;
    }

    @Override
    @HotPath
    public int end() {
        int ended = encoder.end(timeNs, input);
        if (ended == OK) {
            count++;
        } else {
            counters.increment(QueueCounter.PARSER_POINTS_REJECTED);
        }
        return ended;
    }

    /** Counts the point only: a flow has no source text for the dead letters. */
    @Override
    public void reject(byte[] bytes, int offset, int length, long line, String reason) {
        counters.increment(QueueCounter.PARSER_POINTS_REJECTED);
    }

    /** Unused default: every flow sets its own time. */
    @Override
    public long arrivalTimeNs() {
        return timeNs;
    }

    /** Publishes the current batch to the ring; false when the ring is full. */
    @HotPath
    boolean publish() {
        if (count == 0) {
            return true;
        }
        long sequence = ring.tryClaim();
        if (sequence < 0) {
            counters.increment(QueueCounter.SOURCE_RING_FULL);
            return false;
        }
        int length = encoder.position();
        Slot slot = ring.slot(sequence);
        slot.buffer().putBytes(0, buffer, 0, length);
        slot.fill(length, count, this);
        underWay.incrementAndGet();
        counters.increment(QueueCounter.SOURCE_BATCHES);
        counters.add(QueueCounter.SOURCE_RECORD_BYTES, length - BatchLayout.HEADER_LENGTH);
        counters.add(QueueCounter.PARSER_POINTS, count);
        ring.publish(sequence);
        clear();
        return true;
    }

    /** Number of batches not yet journaled. Thread-safe. */
    int underWay() {
        return underWay.get();
    }

    @Override
    public void journaled() {
        underWay.decrementAndGet();
    }

    /** Packets cannot be resent; the replication counts under-replicated points. */
    @Override
    public void failed(String reason) {
        underWay.decrementAndGet();
    }
}
