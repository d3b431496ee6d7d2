package io.chimera.common.composition;

import io.chimera.api.HotPath;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * Bounded single-producer, single-consumer queue of points. A message is either a partition with definitions and
 * record, or a mark. Allocates nothing after construction.
 */
final class PointQueue {
    /**
     * Capacity in bytes. A message may take an eighth of the capacity; the longest point has 384 KiB. At 200 bytes per
     * point the queue has room for 20,000 points.
     */
    private static final int CAPACITY = 4 << 20;

    private static final int POINT = 1;
    private static final int MARK = 2;

    /** Layout of a point message: partition (i32), key (i32), then the point. */
    private static final int KEY_AT = 4;

    private static final int POINT_AT = 8;

    private static final int MARK_LENGTH = 16;
    private static final int MESSAGES_PER_POLL = 256;

    private final OneToOneRingBuffer ring = new OneToOneRingBuffer(
            new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY + RingBufferDescriptor.TRAILER_LENGTH)));
    private final PointFlyweight point = new PointFlyweight();
    private final PointConsumer taker;
    private final MarkConsumer marks;
    private final MessageHandler handler = this::onMessage;

    /** Consumer of marks, called in queue order between the points. */
    interface MarkConsumer {
        void onMark(int kind, long value);
    }

    /** Creates a queue before the two consumers. */
    PointQueue(PointConsumer taker, MarkConsumer marks) {
        this.taker = taker;
        this.marks = marks;
    }

    /** Enqueues a point; returns false if the queue has no room. */
    @HotPath
    boolean offer(PointFlyweight given, int partition) {
        int seriesLength = given.series().length();
        int fieldsLength = given.fieldsDefinition().length();
        int recordLength = given.record().length();
        int index = ring.tryClaim(POINT, POINT_AT + seriesLength + fieldsLength + recordLength);
        if (index < 0) {
            return false;
        }
        AtomicBuffer buffer = ring.buffer();
        buffer.putInt(index, partition);
        buffer.putInt(index + KEY_AT, given.key());
        int at = index + POINT_AT;
        buffer.putBytes(at, given.series().buffer(), given.series().offset(), seriesLength);
        at += seriesLength;
        buffer.putBytes(
                at, given.fieldsDefinition().buffer(), given.fieldsDefinition().offset(), fieldsLength);
        at += fieldsLength;
        buffer.putBytes(at, given.record().buffer(), given.record().offset(), recordLength);
        ring.commit(index);
        return true;
    }

    /** Enqueues a mark; returns false if the queue has no room. */
    boolean offerMark(int kind, long value) {
        int index = ring.tryClaim(MARK, MARK_LENGTH);
        if (index < 0) {
            return false;
        }
        ring.buffer().putInt(index, kind);
        ring.buffer().putLong(index + POINT_AT, value);
        ring.commit(index);
        return true;
    }

    /** Delivers some queued messages to the consumers and returns their number. */
    int poll() {
        return ring.read(handler, MESSAGES_PER_POLL);
    }

    private void onMessage(int type, DirectBuffer buffer, int index, int length) {
        if (type == POINT) {
            int key = buffer.getInt(index + KEY_AT);
            taker.accept(point.wrap(buffer, index + POINT_AT).by(key), buffer.getInt(index));
        } else {
            marks.onMark(buffer.getInt(index), buffer.getLong(index + POINT_AT));
        }
    }
}
