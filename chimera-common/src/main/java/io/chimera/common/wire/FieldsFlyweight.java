package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import org.agrona.DirectBuffer;

/**
 * Reads the definition of a set of fields in place; see {@link BodyLayout}. Fields are walked by their offsets: start
 * with {@link #first()} and step with {@link #next} as often as the count says. Not thread-safe; allocates nothing.
 */
public final class FieldsFlyweight extends EntryFlyweight {
    /** A flyweight over nothing yet. */
    public FieldsFlyweight() {}

    /**
     * Lays this flyweight over a definition that is known to be whole.
     *
     * @param source holds the definition
     * @param start index of its first byte
     * @return this
     */
    @HotPath
    public FieldsFlyweight wrap(DirectBuffer source, int start) {
        lay(source, start);
        return this;
    }

    /**
     * Whether the bytes under this flyweight are a whole definition of fields: every length inside of it, every type
     * known.
     *
     * @param available bytes from its start to the end of what was received
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
     * Whether it is a whole definition, and the one that has to follow those before it.
     *
     * @param available bytes from its start to the end of what was received
     * @param defined number of definitions since the last RESET
     */
    @HotPath
    public boolean isNext(int available, int defined) {
        return isWhole(available) && number() == defined;
    }

    /** The number by which records name the set. */
    public int number() {
        return buffer.getShort(offset + BodyLayout.DEFINITION_NUMBER, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Number of fields. */
    public int count() {
        return buffer.getShort(offset + BodyLayout.DEFINITION_COUNT, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Whether any field is text: only then has a record more than its values. */
    @HotPath
    public boolean hasText() {
        int field = first();
        for (int i = count(); i > 0; i--) {
            if (type(field) == FieldType.TEXT.code()) {
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

    /** Index of the field behind the one at the given index. */
    public int next(int field) {
        return field + BodyLayout.FIELD_NAME + nameLength(field);
    }

    /** {@link FieldType#code()} of the field at the given index. */
    public int type(int field) {
        return buffer.getByte(field);
    }

    /** Bytes of the name of the field at the given index. */
    public int nameLength(int field) {
        return buffer.getShort(field + BodyLayout.FIELD_NAME_LENGTH, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Index of the name of the field at the given index. */
    public int name(int field) {
        return field + BodyLayout.FIELD_NAME;
    }
}
