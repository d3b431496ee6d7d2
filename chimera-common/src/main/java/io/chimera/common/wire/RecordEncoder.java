package io.chimera.common.wire;

import static io.chimera.common.wire.RecordLayout.FIELD_HEADER_LENGTH;
import static io.chimera.common.wire.RecordLayout.HEADER_LENGTH;
import static io.chimera.common.wire.RecordLayout.LENGTH_MAX;
import static io.chimera.common.wire.RecordLayout.TEXT_LENGTH_MAX;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes one data point as a flat record: metric, then tags, then fields. The record is put together in an array, where a
 * short text costs a few moves of eight bytes, and goes in one copy into the buffer it will travel in; written piece by
 * piece into a buffer off the heap, it took half as long again. Tags are ordered at the end, which costs nothing when they
 * came in order. Not thread-safe; allocates nothing but a larger array when a record is larger than all before.
 */
public final class RecordEncoder {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, LITTLE_ENDIAN);
    private static final VarHandle SHORTS = MethodHandles.byteArrayViewVarHandle(short[].class, LITTLE_ENDIAN);

    private static final int UNSET = Integer.MIN_VALUE;
    private static final int LENGTH_FIRST = 4096;

    /** Texts up to this length are copied by moves of eight bytes. */
    private static final int SHORT_LENGTH_MAX = 64;

    private final int[] tagOffsets = new int[PointSink.TAGS_MAX];

    /** The record being put together; what is behind {@link #position} is rubbish. */
    private byte[] record = new byte[LENGTH_FIRST];

    private final UnsafeBuffer recordBuffer = new UnsafeBuffer(record);
    private byte[] ordered = new byte[0];

    private MutableDirectBuffer buffer;
    private int start;
    private int limit;
    private int position;
    private int keyEnd;
    private int tagsStart;
    private int tagCount;
    private int fieldCount;
    private boolean tagsInOrder;
    private int error;

    /** An encoder that has nothing to write to yet. */
    public RecordEncoder() {}

    /**
     * Begins a record.
     *
     * @param target where it is written
     * @param offset index of its first byte, a multiple of 8
     * @param capacity bytes that may be used from there
     */
    @HotPath
    public void begin(MutableDirectBuffer target, int offset, int capacity) {
        if (buffer != target) {
            buffer = target; // a reference that is written costs the garbage collector's barrier
        }
        start = offset;
        limit = Math.min(capacity, LENGTH_MAX);
        position = HEADER_LENGTH;
        keyEnd = UNSET;
        tagsStart = UNSET;
        tagCount = 0;
        fieldCount = 0;
        tagsInOrder = true;
        error = PointSink.OK;
    }

    /** Sets the metric; see {@link PointSink#metric}. */
    @HotPath
    public void metric(byte[] bytes, int offset, int length) {
        if (length == 0) {
            fail(PointSink.NO_METRIC);
        } else {
            sized(bytes, offset, length);
            tagsStart = position;
        }
    }

    /** Adds a tag; see {@link PointSink#tag}. */
    @HotPath
    public void tag(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        if (tagCount == PointSink.TAGS_MAX) {
            fail(PointSink.TOO_MANY_TAGS);
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

    /** Adds a number or a truth value; see {@link PointSink#field}. */
    @HotPath
    public void field(byte[] name, int nameOffset, int nameLength, int typeCode, long bits) {
        if (typeCode == FieldType.DOUBLE.code() && !Double.isFinite(Double.longBitsToDouble(bits))) {
            fail(PointSink.NOT_FINITE);
        }
        int offset = fieldHeader(typeCode, nameLength, 0, bits);
        if (offset != UNSET) {
            copy(offset + FIELD_HEADER_LENGTH, name, nameOffset, nameLength);
        }
    }

    /** Adds a text; see {@link PointSink#textField}. */
    @HotPath
    public void textField(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        int offset = fieldHeader(FieldType.TEXT.code(), nameLength, valueLength, 0);
        if (offset != UNSET) {
            copy(offset + FIELD_HEADER_LENGTH, name, nameOffset, nameLength);
            copy(offset + FIELD_HEADER_LENGTH + nameLength, value, valueOffset, valueLength);
        }
    }

    /**
     * Ends the record: orders the tags, hashes the key, writes everything to the target.
     *
     * @param timeNs time of the point, nanoseconds since 1970
     * @param input ordinal of the input
     * @return the record's length in bytes, or a negative code of {@link PointSink}
     */
    @HotPath
    public int end(long timeNs, int input) {
        closeKey();
        if (error == PointSink.OK) {
            error = problem(timeNs);
        }
        if (error == PointSink.OK && !tagsInOrder) {
            orderTags();
        }
        if (error != PointSink.OK) {
            return error;
        }
        int keyLength = keyEnd - HEADER_LENGTH;
        INTS.set(record, RecordLayout.LENGTH, position);
        SHORTS.set(record, RecordLayout.TAG_COUNT, (short) tagCount);
        SHORTS.set(record, RecordLayout.FIELD_COUNT, (short) fieldCount);
        LONGS.set(record, RecordLayout.KEY_HASH, SeriesHash.of(recordBuffer, HEADER_LENGTH, keyLength));
        LONGS.set(record, RecordLayout.TIME_NS, timeNs);
        INTS.set(record, RecordLayout.KEY_LENGTH, keyLength);
        SHORTS.set(record, RecordLayout.INPUT, (short) input);
        SHORTS.set(record, RecordLayout.FLAGS, (short) 0);
        buffer.putBytes(start, record, 0, position);
        return position;
    }

    private int problem(long timeNs) {
        if (tagsStart == UNSET) {
            return PointSink.NO_METRIC;
        }
        if (fieldCount == 0) {
            return PointSink.NO_FIELD;
        }
        return timeNs < 0 ? PointSink.TIME_OUT_OF_RANGE : position > limit ? PointSink.TOO_LONG : PointSink.OK;
    }

    private void fail(int code) {
        if (error == PointSink.OK) {
            error = code;
        }
    }

    private void sized(byte[] bytes, int offset, int length) {
        if (length > 0xFFFF || !hasRoom(2 + length)) {
            fail(PointSink.TOO_LONG);
            return;
        }
        SHORTS.set(record, position, (short) length);
        copy(position + 2, bytes, offset, length);
        position += 2 + length;
    }

    /** Makes room for a field and writes its header; UNSET when there is none. */
    private int fieldHeader(int typeCode, int nameLength, int textLength, long bits) {
        closeKey();
        int length = FIELD_HEADER_LENGTH + nameLength + textLength;
        if (nameLength > 0xFFFF || textLength > TEXT_LENGTH_MAX || fieldCount == 0xFFFF || !hasRoom(length)) {
            fail(PointSink.TOO_LONG);
            return UNSET;
        }
        int offset = position;
        position += RecordLayout.align(length);
        fieldCount++;
        LONGS.set(record, position - 8, 0L); // the padding is part of what is checksummed
        LONGS.set(record, offset, typeCode | (long) nameLength << 16 | (long) textLength << 32);
        LONGS.set(record, offset + RecordLayout.FIELD_VALUE, bits);
        return offset;
    }

    private void closeKey() {
        if (keyEnd == UNSET) {
            keyEnd = position;
            if (hasRoom(0)) {
                LONGS.set(record, position, 0L);
            }
            position = RecordLayout.align(position);
        }
    }

    /** Whether so many bytes, and 16 for padding and for what copying writes behind a text, fit; grows the array once. */
    private boolean hasRoom(int length) {
        int needed = position + length + 16;
        return needed <= record.length || grow(needed);
    }

    private boolean grow(int needed) {
        if (needed > LENGTH_MAX + 16) {
            return false;
        }
        record = Arrays.copyOf(record, Math.min(LENGTH_MAX + 16, Math.max(needed, 2 * record.length)));
        recordBuffer.wrap(record);
        return true;
    }

    /**
     * Copies a text. Nearly all are short, and a call of the copying routine costs more than a few moves. The last move
     * writes zeros behind the text, where there is only padding or what is written next.
     */
    private void copy(int index, byte[] bytes, int offset, int length) {
        int whole = length & ~7;
        if (length > SHORT_LENGTH_MAX || bytes.length - offset < whole + 8) {
            System.arraycopy(bytes, offset, record, index, length);
            return;
        }
        for (int i = 0; i < whole; i += 8) {
            LONGS.set(record, index + i, (long) LONGS.get(bytes, offset + i));
        }
        if (whole < length) {
            long rest = (long) LONGS.get(bytes, offset + whole) & ((1L << ((length & 7) << 3)) - 1);
            LONGS.set(record, index + whole, rest);
        }
    }

    /** Insertion sort over at most 64 offsets, then two copies: senders nearly always send tags in order. */
    private void orderTags() {
        for (int i = 1; i < tagCount; i++) {
            int offset = tagOffsets[i];
            int j = i - 1;
            while (j >= 0 && compareNames(tagOffsets[j], offset) > 0) {
                tagOffsets[j + 1] = tagOffsets[j];
                j--;
            }
            tagOffsets[j + 1] = offset;
        }
        for (int i = 1; i < tagCount; i++) {
            if (compareNames(tagOffsets[i - 1], tagOffsets[i]) == 0) {
                error = PointSink.DUPLICATE_TAG;
                return;
            }
        }
        if (ordered.length < keyEnd - tagsStart) {
            ordered = new byte[record.length];
        }
        int target = 0;
        for (int i = 0; i < tagCount; i++) {
            int offset = tagOffsets[i];
            int length = textEnd(textEnd(offset)) - offset;
            System.arraycopy(record, offset, ordered, target, length);
            target += length;
        }
        System.arraycopy(ordered, 0, record, tagsStart, target);
    }

    /** Index behind the text whose size stands at the given index. */
    private int textEnd(int text) {
        return text + 2 + ((short) SHORTS.get(record, text) & 0xFFFF);
    }

    private int compareNames(int left, int right) {
        int first = (record[left + 2] & 0xFF) - (record[right + 2] & 0xFF);
        return first != 0
                ? first
                : Arrays.compareUnsigned(record, left + 2, textEnd(left), record, right + 2, textEnd(right));
    }
}
