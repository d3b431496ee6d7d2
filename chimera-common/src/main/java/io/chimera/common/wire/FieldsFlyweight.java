package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import org.agrona.DirectBuffer;

/**
 * Reads the definition of a field set in place; see {@link BodyLayout}. Callers walk the fields by offset, from {@link
 * #first()} with {@link #next}, {@link #count()} times. Not thread-safe; allocates nothing.
 */
public final class FieldsFlyweight extends EntryFlyweight {
    /** Creates a flyweight without a buffer. */
    public FieldsFlyweight() {}

    /**
     * Wraps this flyweight over a validated definition.
     *
     * @param source holds the definition
     * @param start index of the first byte
     * @return this
     */
    @HotPath
    public FieldsFlyweight wrap(DirectBuffer source, int start) {
        lay(source, start);
        return this;
    }

    /**
     * Returns whether the bytes under this flyweight form a complete field-set definition: all lengths within bounds
     * and all types known.
     *
     * @param available bytes from the start to the end of the received data
     */
    @HotPath
    public boolean isWhole(int available) {
        if (available < BodyLayout.FIRST_FIELD || Entries.kind(buffer, offset) != BodyLayout.FIELDS) {
            return false;
        }
        int length = length();
        return length > BodyLayout.FIRST_FIELD
                && length <= Math.min(available, BodyLayout.LENGTH_MAX)
                && count() > 0
                && areFieldsWhole(offset + length);
    }

    private boolean areFieldsWhole(int end) {
        int position = first();
        for (int i = count(); i > 0; i--) {
            if (end - position < BodyLayout.FIELD_NAME || FieldType.ofCode(type(position)) == null) {
                return false;
            }
            position = next(position);
        }
        return position <= end && BodyLayout.align(position - offset) == end - offset;
    }

    /**
     * Returns whether the bytes form a complete definition with the next expected number.
     *
     * @param available bytes from the start to the end of the received data
     * @param defined number of definitions since the last RESET
     */
    @HotPath
    public boolean isNext(int available, int defined) {
        return isWhole(available) && number() == defined;
    }

    /** Number of the field set in record references. */
    public int number() {
        return buffer.getShort(offset + BodyLayout.DEFINITION_NUMBER, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Number of fields. */
    public int count() {
        return buffer.getShort(offset + BodyLayout.DEFINITION_COUNT, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Returns whether any field is text or a histogram. Only such records extend beyond their values. */
    @HotPath
    public boolean hasBytes() {
        int field = first();
        for (int i = count(); i > 0; i--) {
            if (FieldType.isBytes(type(field))) {
                return true;
            }
            field = next(field);
        }
        return false;
    }

    /** Index of the first field. */
    public int first() {
        return offset + BodyLayout.FIRST_FIELD;
    }

    /** Index of the field after the field at the given index. */
    public int next(int field) {
        return field + BodyLayout.FIELD_NAME + nameLength(field);
    }

    /** {@link FieldType#code()} of the field at the given index. */
    public int type(int field) {
        return buffer.getByte(field);
    }

    /** Length in bytes of the name of the field at the given index. */
    public int nameLength(int field) {
        return buffer.getShort(field + BodyLayout.FIELD_NAME_LENGTH, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Index of the name of the field at the given index. */
    public int name(int field) {
        return field + BodyLayout.FIELD_NAME;
    }
}
