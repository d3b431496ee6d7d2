package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A set of fields that an encoder has met: names and types in the order in which they came. Compares a text with an
 * expected name eight bytes at a time. Not thread-safe.
 */
final class FieldSet {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);

    private static final long[] NO_WORDS = {};

    private final byte[] definition;
    private final Field[] fields;

    /** Where the last field ends in the definition. */
    private final int end;

    /** Body in which the set was last defined, and its number there. */
    private long definedIn;

    private int number;

    /** A field of a set. */
    static final class Field {
        private final int type;
        private final int nameLength;

        /** Where it begins in the definition. */
        private final int offset;

        /** Bytes that a text has to have, in whole words, to begin as this; not to be had when the name is not plain. */
        private final int length;

        /** The first eight bytes of the name and an equals sign, as many as there are. */
        private final long first;

        private final long firstMask;

        /** The last eight of them; the first again when there are no more. */
        private final long last;

        private final long lastMask;
        private final int lastOffset;

        /** What is between them, in words, which overlap with the last. */
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

        /** Whether a text begins with the name and an equals sign. */
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

    /** Whether no protocol would write a name otherwise than it is, with escapes. */
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

    /** The fields, not a copy. */
    Field[] fields() {
        return fields;
    }

    /** Where the given field begins in the definition, or, for {@link #count()}, where the last ends. */
    int offset(int index) {
        return index < fields.length ? fields[index].offset : end;
    }

    /** Whether a field has a name. */
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
