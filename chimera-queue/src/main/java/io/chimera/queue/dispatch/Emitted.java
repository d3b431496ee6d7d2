package io.chimera.queue.dispatch;

import io.chimera.api.HotPath;
import io.chimera.common.composition.PointFlyweight;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Points emitted by the blocks of one pipeline for the current record of a pass, until all points are sent. The points
 * are copies: a full channel suspends the pass, and the blocks process other records meanwhile. The channel manager's
 * thread; allocates only when growing.
 */
final class Emitted {
    /** Maximum bytes of the points of one record and pipeline. */
    private static final int BYTES_MAX = 64 << 20;

    private final PointFlyweight point = new PointFlyweight();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[4 << 10]);
    private int[] places = new int[16];
    private int used;
    private int count;
    private int next;
    private boolean isOverflown;

    Emitted() {}

    void clear() {
        used = 0;
        count = 0;
        next = 0;
        isOverflown = false;
    }

    /** Whether the points exceeded the limit; the points must not be sent then. */
    boolean isOverflown() {
        return isOverflown;
    }

    /** Copies a point. */
    @HotPath
    void add(PointFlyweight emitted) {
        int seriesLength = emitted.series().length();
        int fieldsLength = emitted.fieldsDefinition().length();
        int recordLength = emitted.record().length();
        if (!hasRoom(seriesLength + fieldsLength + recordLength)) {
            isOverflown = true;
            return;
        }
        if (count == places.length) {
            places = Arrays.copyOf(places, 2 * count);
        }
        places[count++] = used;
        buffer.putBytes(used, emitted.series().buffer(), emitted.series().offset(), seriesLength);
        used += seriesLength;
        buffer.putBytes(
                used,
                emitted.fieldsDefinition().buffer(),
                emitted.fieldsDefinition().offset(),
                fieldsLength);
        used += fieldsLength;
        buffer.putBytes(used, emitted.record().buffer(), emitted.record().offset(), recordLength);
        used += recordLength;
    }

    private boolean hasRoom(int length) {
        int needed = used + length;
        if (needed > BYTES_MAX) {
            return false;
        }
        if (needed > buffer.capacity()) {
            buffer.wrap(
                    Arrays.copyOf(buffer.byteArray(), Math.min(BYTES_MAX, Math.max(needed, 2 * buffer.capacity()))));
        }
        return true;
    }

    int count() {
        return count;
    }

    /** Whether an unsent point is left. */
    @HotPath
    boolean hasNext() {
        return next < count;
    }

    /** The first unsent point. */
    @HotPath
    PointFlyweight next() {
        return point.wrap(buffer, places[next]);
    }

    /** Marks the first unsent point as sent. */
    void sent() {
        next++;
    }
}
