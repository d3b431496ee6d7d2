package io.chimera.queue.capture;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.ring.Completion;
import io.chimera.common.ring.Slot;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.EncodingSink;
import io.chimera.common.wire.RecordEncoder;
import io.chimera.queue.flow.FlowOrigin;
import io.chimera.queue.flow.FlowPoint;
import io.chimera.queue.flow.FlowRecord;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes records as data points into memory of its own, and that as a whole into the ring of the node; never waits for the ring. One
 * thread, but for what is journaled.
 */
final class FlowOutlet implements Completion, EncodingSink {
    /** More than a point with its definitions takes: 17 fields, two of them addresses, and up to 7 tags. */
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
        buffer.putLong(BatchLayout.STREAM, 0, LITTLE_ENDIAN); // a batch of this node, which the journaler seals
        encoder.open(buffer, BatchLayout.HEADER_LENGTH, buffer.capacity());
        count = 0;
    }

    /** Writes a record; false when there is no room, as the ring is full. */
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

    /** Nobody has a text of a flow that could be shown. */
    @Override
    public void reject(byte[] bytes, int offset, int length, long line, String reason) {
        counters.increment(QueueCounter.PARSER_POINTS_REJECTED);
    }

    /** A flow has a time of its own. */
    @Override
    public long arrivalTimeNs() {
        return timeNs;
    }

    /** Hands what was written to the journaler; false when the ring is full. */
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

    /** Batches that are not journaled yet. Any thread. */
    int underWay() {
        return underWay.get();
    }

    @Override
    public void journaled() {
        underWay.decrementAndGet();
    }

    /** Nobody can send packets again; how many points are in too few journals is counted where that is found. */
    @Override
    public void failed(String reason) {
        underWay.decrementAndGet();
    }
}
