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
 * A bounded queue of points between two threads: one gives, one takes. A message is the partition, then the definitions and
 * the record; or a mark. Allocates nothing once it is made.
 */
final class PointQueue {
    /** Messages may be an eighth of it: the longest point has 384 KiB. At 200 bytes it holds 20,000 points. */
    private static final int CAPACITY = 4 << 20;

    private static final int POINT = 1;
    private static final int MARK = 2;

    /** Message of a point: its partition (i32), its key (i32), then the point. */
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

    /** Hears of marks, in their place among the points. */
    interface MarkConsumer {
        /** A mark came. */
        void onMark(int kind, long value);
    }

    /** A queue in front of those who take. */
    PointQueue(PointConsumer taker, MarkConsumer marks) {
        this.taker = taker;
        this.marks = marks;
    }

    /** Gives a point; false when there is no room now. */
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

    /** Gives a mark; false when there is no room now. */
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

    /** Hands some of what is there to those who take; returns how much. */
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
