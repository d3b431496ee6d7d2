package io.chimera.common.wire.encode;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.FieldsFlyweight;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Field set of an encoder: field names and types in their order of appearance. Compares a text with an expected field
 * name eight bytes at a time. Not thread-safe.
 */
final class FieldSet {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);

    private static final long[] NO_WORDS = {};

    private final byte[] definition;
    private final Field[] fields;

    /** Offset in the definition after the last field. */
    private final int end;

    /** Body with the latest definition of the field set; {@code number} is the number of the definition. */
    private long definedIn;

    private int number;

    /** Field of a field set. */
    static final class Field {
        private final int type;
        private final int nameLength;

        /** Offset of the field in the definition. */
        private final int offset;

        /**
         * Minimum number of bytes for a comparison in whole words; {@link Integer#MAX_VALUE} for a name that needs
         * escapes, so the comparison always fails.
         */
        private final int length;

        /** First eight bytes of the name plus equals sign; {@code firstMask} covers the existing bytes. */
        private final long first;

        private final long firstMask;

        /** Last eight bytes of the name plus equals sign; equal to {@code first} for a short name. */
        private final long last;

        private final long lastMask;
        private final int lastOffset;

        /** Words between {@code first} and {@code last}; the final word may overlap with {@code last}. */
        private final long[] middle;

        private Field(int type, int offset, byte[] name) {
            this.type = type;
            this.offset = offset;
            nameLength = name.length;
            byte[] text = Arrays.copyOf(name, Math.max(Long.BYTES, nameLength + 1));
            length = isPlain(name) ? text.length : Integer.MAX_VALUE;
            text[nameLength] = '=';
            first = (long) LONGS.get(text, 0);
            firstMask = -1L >>> Math.max(0, Long.SIZE - Byte.SIZE * (nameLength + 1));
            lastOffset = text.length - Long.BYTES;
            last = (long) LONGS.get(text, lastOffset);
            lastMask = lastOffset == 0 ? firstMask : -1L;
            int words = Math.max(0, lastOffset - 1) / Long.BYTES;
            middle = words == 0 ? NO_WORDS : new long[words];
            for (int i = 0; i < middle.length; i++) {
                middle[i] = (long) LONGS.get(text, Long.BYTES * (i + 1));
            }
        }

        int type() {
            return type;
        }

        int nameLength() {
            return nameLength;
        }

        /** Returns whether a text begins with the name and an equals sign. */
        @HotPath
        boolean startsAt(byte[] bytes, int from, int limit) {
            if (limit - from < length) {
                return false;
            }
            long different = (((long) LONGS.get(bytes, from) ^ first) & firstMask)
                    | (((long) LONGS.get(bytes, from + lastOffset) ^ last) & lastMask);
            for (int i = 0; i < middle.length; i++) {
                different |= (long) LONGS.get(bytes, from + Long.BYTES * (i + 1)) ^ middle[i];
            }
            return different == 0;
        }
    }

    FieldSet(byte[] definition) {
        this.definition = definition;
        FieldsFlyweight flyweight = new FieldsFlyweight().wrap(new UnsafeBuffer(definition), 0);
        fields = new Field[flyweight.count()];
        int field = flyweight.first();
        for (int i = 0; i < fields.length; i++) {
            int name = flyweight.name(field);
            byte[] text = Arrays.copyOfRange(definition, name, name + flyweight.nameLength(field));
            fields[i] = new Field(flyweight.type(field), field, text);
            field = flyweight.next(field);
        }
        end = field;
    }

    /** Returns whether every text protocol writes the name without escapes. */
    private static boolean isPlain(byte[] name) {
        for (byte b : name) {
            if ((b >= 0 && b <= ' ') || b == ',' || b == '=' || b == '\\' || b == '"' || b == 0x7F) {
                return false;
            }
        }
        return true;
    }

    byte[] definition() {
        return definition;
    }

    int count() {
        return fields.length;
    }

    /** Returns the fields without copying the array. */
    Field[] fields() {
        return fields;
    }

    /** Offset of a field in the definition; for {@link #count()}, the end of the last field. */
    int offset(int index) {
        return index < fields.length ? fields[index].offset : end;
    }

    /** Returns whether a field has the given name. */
    @HotPath
    boolean isNamed(int index, byte[] bytes, int offset, int length) {
        Field field = fields[index];
        int name = field.offset + BodyLayout.FIELD_NAME;
        return field.nameLength == length
                && Arrays.equals(definition, name, name + length, bytes, offset, offset + length);
    }

    boolean isDefinedIn(long body) {
        return definedIn == body;
    }

    void define(long body, int newNumber) {
        definedIn = body;
        number = newNumber;
    }

    int number() {
        return number;
    }
}
