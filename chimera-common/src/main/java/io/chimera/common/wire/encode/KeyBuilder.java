package io.chimera.common.wire.encode;

import static io.chimera.common.wire.BodyLayout.LENGTH_MAX;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.api.spi.PointSink;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.SeriesHash;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Assembles the definition of a series: the metric, then the tags in any order. The end of the definition sorts the
 * tags at no cost if the tags arrived in order. Not thread-safe; allocates only to grow the array for a longer key.
 */
final class KeyBuilder {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, LITTLE_ENDIAN);
    private static final VarHandle SHORTS = MethodHandles.byteArrayViewVarHandle(short[].class, LITTLE_ENDIAN);

    private static final int UNSET = Integer.MIN_VALUE;
    private static final int LENGTH_FIRST = 4096;

    private final int[] tagOffsets = new int[PointSink.TAGS_MAX];
    private byte[] bytes = new byte[LENGTH_FIRST];
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private byte[] ordered = new byte[0];

    private int position;
    private int tagsStart;
    private int tagCount;
    private boolean tagsInOrder;

    /** Permutation of the tags of the last sorted series. Senders use few different tag orders. */
    private final byte[] order = new byte[PointSink.TAGS_MAX];

    private int orderCount;
    private int error;
    private long hash;

    void begin() {
        position = BodyLayout.KEY;
        tagsStart = UNSET;
        tagCount = 0;
        tagsInOrder = true;
        error = PointSink.OK;
    }

    @HotPath
    void metric(byte[] source, int offset, int length) {
        if (length == 0) {
            fail(PointSink.NO_METRIC);
        } else {
            sized(source, offset, length);
            tagsStart = position;
        }
    }

    @HotPath
    void tag(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        if (tagCount == PointSink.TAGS_MAX) {
            fail(PointSink.TOO_MANY_TAGS);
            return;
        }
        if (nameLength == 0 || valueLength == 0) {
            fail(PointSink.EMPTY_TAG);
            return;
        }
        int offset = position;
        sized(name, nameOffset, nameLength);
        sized(value, valueOffset, valueLength);
        if (error == PointSink.OK) {
            tagOffsets[tagCount] = offset;
            if (tagCount > 0 && tagsInOrder) {
                tagsInOrder = compareNames(tagOffsets[tagCount - 1], offset) < 0;
            }
            tagCount++;
        }
    }

    /**
     * Ends the definition: sorts the tags and hashes the key.
     *
     * @return {@link PointSink#OK} or a negative code
     */
    @HotPath
    int end() {
        if (error == PointSink.OK && tagsStart == UNSET) {
            error = PointSink.NO_METRIC;
        }
        if (error == PointSink.OK && !tagsInOrder) {
            orderTags();
        }
        if (error != PointSink.OK) {
            return error;
        }
        int keyLength = position - BodyLayout.KEY;
        hash = SeriesHash.of(buffer, BodyLayout.KEY, keyLength);
        LONGS.set(bytes, position, 0L); // the checksum includes the padding
        INTS.set(bytes, 0, length() | BodyLayout.SERIES);
        SHORTS.set(bytes, BodyLayout.DEFINITION_COUNT, (short) tagCount);
        SHORTS.set(bytes, BodyLayout.DEFINITION_NUMBER, (short) 0);
        LONGS.set(bytes, BodyLayout.KEY_HASH, hash);
        LONGS.set(bytes, BodyLayout.KEY_LENGTH, (long) keyLength);
        return PointSink.OK;
    }

    /** Returns the array with the definition from index 0, without copying. */
    byte[] bytes() {
        return bytes;
    }

    /** Returns the buffer with the definition from index 0, without copying. */
    UnsafeBuffer buffer() {
        return buffer;
    }

    /** Length of the definition in bytes. */
    int length() {
        return BodyLayout.align(position);
    }

    /** {@link SeriesHash} of the key. */
    long hash() {
        return hash;
    }

    private void fail(int code) {
        if (error == PointSink.OK) {
            error = code;
        }
    }

    private void sized(byte[] source, int offset, int length) {
        if (length > 0xFFFF || !hasRoom(2 + length)) {
            fail(PointSink.TOO_LONG);
            return;
        }
        SHORTS.set(bytes, position, (short) length);
        System.arraycopy(source, offset, bytes, position + 2, length);
        position += 2 + length;
    }

    /** Returns whether this number of bytes plus padding fits; grows the array if needed. */
    private boolean hasRoom(int length) {
        int needed = position + length + 8;
        if (needed > bytes.length && needed <= LENGTH_MAX) {
            bytes = Arrays.copyOf(bytes, Math.min(LENGTH_MAX, Math.max(needed, 2 * bytes.length)));
            buffer.wrap(bytes);
        }
        return needed <= bytes.length;
    }

    @ColdPath
    private void growOrdered() {
        ordered = new byte[bytes.length];
    }

    /**
     * Sorts at most 64 tags: an insertion sort that begins with the permutation of the last series, then two copies.
     */
    private void orderTags() {
        if (orderCount != tagCount) {
            orderCount = tagCount;
            for (int i = 0; i < tagCount; i++) {
                order[i] = (byte) i;
            }
        }
        for (int i = 1; i < tagCount; i++) {
            byte tag = order[i];
            int j = i - 1;
            int compared = compareTags(order[j], tag);
            while (compared > 0) {
                order[j + 1] = order[j];
                j--;
                compared = j < 0 ? -1 : compareTags(order[j], tag);
            }
            order[j + 1] = tag;
            if (compared == 0) {
                error = PointSink.DUPLICATE_TAG;
                return;
            }
        }
        if (ordered.length < position - tagsStart) {
            growOrdered();
        }
        int target = 0;
        for (int i = 0; i < tagCount; i++) {
            int tag = order[i];
            int offset = tagOffsets[tag];
            int length = (tag + 1 < tagCount ? tagOffsets[tag + 1] : position) - offset;
            System.arraycopy(bytes, offset, ordered, target, length);
            target += length;
        }
        System.arraycopy(ordered, 0, bytes, tagsStart, target);
    }

    private int compareTags(int left, int right) {
        return compareNames(tagOffsets[left], tagOffsets[right]);
    }

    /** Index after the text whose u16 size is at the given index. */
    private int textEnd(int text) {
        return text + 2 + ((short) SHORTS.get(bytes, text) & 0xFFFF);
    }

    private int compareNames(int left, int right) {
        int first = (bytes[left + 2] & 0xFF) - (bytes[right + 2] & 0xFF);
        return first != 0
                ? first
                : Arrays.compareUnsigned(bytes, left + 2, textEnd(left), bytes, right + 2, textEnd(right));
    }
}
