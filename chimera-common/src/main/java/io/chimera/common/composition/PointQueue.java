package io.chimera.common.composition;

import io.chimera.api.HotPath;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
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

    /**
     * Layout of a message: partition (i32), key of a point or kind of a mark (i32), sequence number (i64), then the
     * point or the value of the mark (i64).
     */
    private static final int KEY_AT = 4;

    private static final int SEQUENCE_AT = 8;
    private static final int POINT_AT = 16;

    private static final int MARK_LENGTH = 24;
    private static final int MESSAGES_PER_POLL = 256;

    private final OneToOneRingBuffer ring = new OneToOneRingBuffer(
            new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY + RingBufferDescriptor.TRAILER_LENGTH)));
    private final PointFlyweight point = new PointFlyweight();
    private final PointConsumer taker;
    private final MarkConsumer marks;
    private final MessageHandler handler = this::onMessage;
    private final ControlledMessageHandler ordered = this::onOrdered;

    /** Sequence number of the current message, or of the messages to deliver next. */
    private long sequence;

    /** Consumer of marks, called in queue order between the points. */
    interface MarkConsumer {
        void onMark(int kind, int partition, long value);
    }

    /** Creates a queue before the two consumers. */
    PointQueue(PointConsumer taker, MarkConsumer marks) {
        this.taker = taker;
        this.marks = marks;
    }

    /**
     * Enqueues a point; returns false if the queue has no room.
     *
     * @param number sequence number of the message; used by pools only
     */
    @HotPath
    boolean offer(PointFlyweight given, int partition, long number) {
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
        buffer.putLong(index + SEQUENCE_AT, number);
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
    boolean offerMark(int kind, int partition, long value, long number) {
        int index = ring.tryClaim(MARK, MARK_LENGTH);
        if (index < 0) {
            return false;
        }
        ring.buffer().putInt(index, partition);
        ring.buffer().putInt(index + KEY_AT, kind);
        ring.buffer().putLong(index + SEQUENCE_AT, number);
        ring.buffer().putLong(index + POINT_AT, value);
        ring.commit(index);
        return true;
    }

    /** Returns whether no message is in the queue or in delivery. Any thread. */
    boolean isEmpty() {
        return ring.size() == 0;
    }

    /** Delivers some queued messages to the consumers and returns their number. */
    int poll() {
        return ring.read(handler, MESSAGES_PER_POLL);
    }

    /**
     * Delivers some messages from the front of the queue with the given sequence number.
     *
     * @return number of consumed bytes; 0 if the front has no message with this number
     */
    @HotPath
    int pollOf(long number) {
        sequence = number;
        long before = ring.consumerPosition();
        ring.controlledRead(ordered, MESSAGES_PER_POLL);
        return (int) (ring.consumerPosition() - before);
    }

    /** Returns the sequence number of the message in delivery. The consumer's thread. */
    long sequence() {
        return sequence;
    }

    private ControlledMessageHandler.Action onOrdered(int type, MutableDirectBuffer buffer, int index, int length) {
        if (buffer.getLong(index + SEQUENCE_AT) != sequence) {
            return ControlledMessageHandler.Action.ABORT;
        }
        onMessage(type, buffer, index, length);
        return ControlledMessageHandler.Action.CONTINUE;
    }

    private void onMessage(int type, DirectBuffer buffer, int index, int length) {
        int partition = buffer.getInt(index);
        int key = buffer.getInt(index + KEY_AT);
        sequence = buffer.getLong(index + SEQUENCE_AT);
        if (type == POINT) {
            taker.accept(point.wrap(buffer, index + POINT_AT).by(key), partition);
        } else {
            marks.onMark(key, partition, buffer.getLong(index + POINT_AT));
        }
    }
}
