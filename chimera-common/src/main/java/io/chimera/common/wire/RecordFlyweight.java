package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import org.agrona.DirectBuffer;

/** Reads a record in place; see {@link BodyLayout}. Not thread-safe; allocates nothing. */
public final class RecordFlyweight extends EntryFlyweight {
    private final HistogramFlyweight histogram = new HistogramFlyweight();

    /** Creates a flyweight without a buffer. */
    public RecordFlyweight() {}

    /**
     * Wraps this flyweight over a validated record.
     *
     * @param source holds the record
     * @param start index of the first byte
     * @return this
     */
    @HotPath
    public RecordFlyweight wrap(DirectBuffer source, int start) {
        lay(source, start);
        return this;
    }

    /**
     * Returns whether the bytes under this flyweight begin with a valid record header. A valid header permits the calls
     * of {@link #series()} and {@link #fields()}.
     *
     * @param available bytes from the start to the end of the received data
     */
    @HotPath
    public boolean hasHeader(int available) {
        return available >= BodyLayout.VALUES
                && Entries.kind(buffer, offset) == BodyLayout.RECORD
                && length() >= BodyLayout.VALUES
                && length() <= available;
    }

    /** Returns whether a record with a valid header has exactly the values of a field set without text and histograms. */
    @HotPath
    public boolean isWhole(int fieldCount) {
        return length() == BodyLayout.VALUES + 8 * fieldCount;
    }

    /** Returns whether a record with a valid header has exactly the values, texts and histograms of a field set. */
    @HotPath
    public boolean isWhole(FieldsFlyweight fields) {
        int count = fields.count();
        int length = length();
        int position = BodyLayout.VALUES + 8 * count;
        if (position > length) {
            return false;
        }
        int field = fields.first();
        for (int i = 0; i < count; i++) {
            if (FieldType.isBytes(fields.type(field))) {
                long bytes = bits(i);
                if (bytes < 0 || bytes > length - position || !isValue(fields.type(field), position, (int) bytes)) {
                    return false;
                }
                position += BodyLayout.align((int) bytes);
            }
            field = fields.next(field);
        }
        return position == length;
    }

    private boolean isValue(int type, int position, int bytes) {
        return type != FieldType.HISTOGRAM.code()
                || histogram.wrap(buffer, offset + position, bytes).isWhole();
    }

    /** Number of the record's series. */
    public int series() {
        return buffer.getShort(offset + BodyLayout.RECORD_SERIES, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Number of the record's field set. */
    public int fields() {
        return buffer.getShort(offset + BodyLayout.RECORD_FIELDS, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Time of the point, nanoseconds since 1970. */
    public long timeNs() {
        return buffer.getLong(offset + BodyLayout.TIME_NS, LITTLE_ENDIAN);
    }

    /** Ordinal of the record's input. */
    public int input() {
        return buffer.getShort(offset + BodyLayout.INPUT, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Returns whether this copy is the primary copy, the only copy counted in the accounts of the cycle. */
    public boolean isPrimary() {
        return (buffer.getShort(offset + BodyLayout.FLAGS, LITTLE_ENDIAN) & BodyLayout.FLAG_PRIMARY) != 0;
    }

    /** The 64 bits of the n-th value; for a text or a histogram, its length in bytes. */
    public long bits(int n) {
        return buffer.getLong(offset + BodyLayout.VALUES + 8 * n, LITTLE_ENDIAN);
    }

    /** Index in {@link #buffer()} of the first text or histogram of a record with {@code fieldCount} fields. */
    public int firstBytes(int fieldCount) {
        return offset + BodyLayout.VALUES + 8 * fieldCount;
    }

    /** Index after a text or histogram of the given index and length: that of the next one. */
    public static int nextBytes(int bytes, long length) {
        return bytes + BodyLayout.align((int) length);
    }

    /**
     * Returns the n-th value as a number; 0 for text and histograms.
     *
     * @param n index of the field
     * @param type {@link FieldType#code()} of the field
     */
    @HotPath
    public double asDouble(int n, int type) {
        long bits = bits(n);
        if (type == FieldType.DOUBLE.code()) {
            return Double.longBitsToDouble(bits);
        }
        if (FieldType.isBytes(type)) {
            return 0;
        }
        // an unsigned value from 2^63 up: halve with the last bit kept for rounding, convert, double
        return type == FieldType.UNSIGNED.code() && bits < 0 ? ((bits >>> 1) | (bits & 1)) * 2.0 : bits;
    }
}
