package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import org.agrona.DirectBuffer;

/**
 * Reads a flat record in place; see {@link RecordLayout}. Tags and fields are walked by their offsets: start with
 * {@link #firstTag()} or {@link #firstField()} and step with {@link #nextTag} or {@link #nextField} as often as the count
 * says. Not thread-safe; allocates nothing.
 */
public final class RecordFlyweight {
    private DirectBuffer buffer;
    private int offset;

    /** A flyweight over nothing yet. */
    public RecordFlyweight() {}

    /**
     * Lays this flyweight over a record that is known to be whole.
     *
     * @param source holds the record
     * @param start index of its first byte
     * @return this
     */
    @HotPath
    public RecordFlyweight wrap(DirectBuffer source, int start) {
        buffer = source;
        offset = start;
        return this;
    }

    /**
     * Whether the bytes under this flyweight are a whole, well-formed record: every length inside the record, every type
     * known. Asked once where bytes come in from a peer or a disk; all that follows may then read without checks.
     *
     * @param available bytes from the record's start to the end of what was received
     * @return true when it is well-formed
     */
    @HotPath
    public boolean isWhole(int available) {
        if (available < RecordLayout.HEADER_LENGTH) {
            return false;
        }
        int length = length();
        int keyLength = keyLength();
        if (length > available || length < RecordLayout.HEADER_LENGTH || (length & 7) != 0 || keyLength < 2) {
            return false;
        }
        int end = offset + length;
        return keyLength <= length - RecordLayout.HEADER_LENGTH && isKeyWhole() && areFieldsWhole(end);
    }

    private boolean isKeyWhole() {
        int keyEnd = keyOffset() + keyLength();
        int position = keyOffset();
        int texts = 1 + 2 * tagCount();
        for (int i = 0; i < texts; i++) {
            if (keyEnd - position < 2) {
                return false;
            }
            position += 2 + sizeAt(position);
        }
        return position == keyEnd;
    }

    private boolean areFieldsWhole(int end) {
        int position = firstField();
        for (int i = fieldCount(); i > 0; i--) {
            if (end - position < RecordLayout.FIELD_HEADER_LENGTH || FieldType.ofCode(fieldType(position)) == null) {
                return false;
            }
            int room = end - position - RecordLayout.FIELD_HEADER_LENGTH - fieldNameLength(position);
            int textLength = fieldTextLength(position);
            if (textLength < 0 || textLength > room) {
                return false;
            }
            position = nextField(position);
        }
        return position == end;
    }

    /** Buffer under this flyweight. */
    @HotPath
    public DirectBuffer buffer() {
        return buffer;
    }

    /** Index of the record's first byte in {@link #buffer()}. */
    @HotPath
    public int offset() {
        return offset;
    }

    /** Bytes of the whole record. */
    @HotPath
    public int length() {
        return buffer.getInt(offset + RecordLayout.LENGTH, LITTLE_ENDIAN);
    }

    /** Number of tags. */
    @HotPath
    public int tagCount() {
        return buffer.getShort(offset + RecordLayout.TAG_COUNT, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Number of fields. */
    @HotPath
    public int fieldCount() {
        return buffer.getShort(offset + RecordLayout.FIELD_COUNT, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** {@link SeriesHash} of the key. */
    @HotPath
    public long keyHash() {
        return buffer.getLong(offset + RecordLayout.KEY_HASH, LITTLE_ENDIAN);
    }

    /** Time of the point, nanoseconds since 1970. */
    @HotPath
    public long timeNs() {
        return buffer.getLong(offset + RecordLayout.TIME_NS, LITTLE_ENDIAN);
    }

    /** Ordinal of the input it came by. */
    @HotPath
    public int input() {
        return buffer.getShort(offset + RecordLayout.INPUT, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Whether this copy is the one that the accounts of the cycle count. */
    @HotPath
    public boolean isPrimary() {
        return (buffer.getShort(offset + RecordLayout.FLAGS, LITTLE_ENDIAN) & RecordLayout.FLAG_PRIMARY) != 0;
    }

    /** Index of the key's first byte in {@link #buffer()}. */
    @HotPath
    public int keyOffset() {
        return offset + RecordLayout.HEADER_LENGTH;
    }

    /** Bytes of the key. */
    @HotPath
    public int keyLength() {
        return buffer.getInt(offset + RecordLayout.KEY_LENGTH, LITTLE_ENDIAN);
    }

    /** Index of the metric's size (u16), which its bytes follow. */
    @HotPath
    public int metric() {
        return keyOffset();
    }

    /** Index of the first tag: the size (u16) of its name. */
    @HotPath
    public int firstTag() {
        return nextText(keyOffset());
    }

    /** Index of the tag behind the one at the given index. */
    @HotPath
    public int nextTag(int tag) {
        return nextText(nextText(tag));
    }

    /** Index of the size of the value of the tag at the given index. */
    @HotPath
    public int tagValue(int tag) {
        return nextText(tag);
    }

    /** Size in bytes of the text (metric, tag name or tag value) whose size stands at the given index. */
    @HotPath
    public int sizeAt(int text) {
        return buffer.getShort(text, LITTLE_ENDIAN) & 0xFFFF;
    }

    private int nextText(int text) {
        return text + 2 + sizeAt(text);
    }

    /** Index of the first field. */
    @HotPath
    public int firstField() {
        return offset + RecordLayout.align(RecordLayout.HEADER_LENGTH + keyLength());
    }

    /** Index of the field behind the one at the given index. */
    @HotPath
    public int nextField(int field) {
        return field
                + RecordLayout.align(
                        RecordLayout.FIELD_HEADER_LENGTH + fieldNameLength(field) + fieldTextLength(field));
    }

    /** {@link FieldType#code()} of the field at the given index. */
    @HotPath
    public int fieldType(int field) {
        return buffer.getByte(field + RecordLayout.FIELD_TYPE);
    }

    /** Bytes of the name of the field at the given index. */
    @HotPath
    public int fieldNameLength(int field) {
        return buffer.getShort(field + RecordLayout.FIELD_NAME_LENGTH, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Index of the name of the field at the given index. */
    @HotPath
    public int fieldName(int field) {
        return field + RecordLayout.FIELD_HEADER_LENGTH;
    }

    /** Bytes of the text of the field at the given index; 0 when it is a number. */
    @HotPath
    public int fieldTextLength(int field) {
        return buffer.getInt(field + RecordLayout.FIELD_TEXT_LENGTH, LITTLE_ENDIAN);
    }

    /** The 64 bits of the value of the field at the given index. */
    @HotPath
    public long fieldBits(int field) {
        return buffer.getLong(field + RecordLayout.FIELD_VALUE, LITTLE_ENDIAN);
    }

    /** The value of the field at the given index as a number; 0 for text. */
    @HotPath
    public double fieldAsDouble(int field) {
        long bits = fieldBits(field);
        int type = fieldType(field);
        if (type == FieldType.DOUBLE.code()) {
            return Double.longBitsToDouble(bits);
        }
        // an unsigned value above 2^63: halve, keeping the last bit for the rounding, convert, double
        return type == FieldType.UNSIGNED.code() && bits < 0 ? ((bits >>> 1) | (bits & 1)) * 2.0 : bits;
    }
}
