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

    private final byte[] definition;
    private final int[] types;
    private final int[] nameLengths;

    /** Where each field begins in the definition, and where it ends. */
    private final int[] offsets;

    /** Each name with an equals sign behind it, in words, the last of them cut by the mask; null for one that is not plain. */
    private final long[][] words;

    private final long[] masks;

    /** Body in which the set was last defined, and its number there. */
    private long definedIn;

    private int number;

    FieldSet(byte[] definition) {
        this.definition = definition;
        FieldsFlyweight fields = new FieldsFlyweight().wrap(new UnsafeBuffer(definition), 0);
        int count = fields.count();
        types = new int[count];
        nameLengths = new int[count];
        offsets = new int[count + 1];
        words = new long[count][];
        masks = new long[count];
        int field = fields.first();
        for (int i = 0; i < count; i++) {
            offsets[i] = field;
            types[i] = fields.type(field);
            nameLengths[i] = fields.nameLength(field);
            int name = fields.name(field);
            byte[] text = Arrays.copyOfRange(definition, name, name + nameLengths[i]);
            words[i] = isPlain(text) ? wordsOf(Arrays.copyOf(text, padded(i)), nameLengths[i]) : null;
            masks[i] = -1L >>> (Long.SIZE - Byte.SIZE * ((nameLengths[i] & 7) + 1));
            field = fields.next(field);
        }
        offsets[count] = field;
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

    private static long[] wordsOf(byte[] padded, int nameLength) {
        padded[nameLength] = '=';
        long[] words = new long[padded.length / Long.BYTES];
        for (int i = 0; i < words.length; i++) {
            words[i] = (long) LONGS.get(padded, Long.BYTES * i);
        }
        return words;
    }

    /** Bytes of the name and an equals sign, in whole words. */
    private int padded(int field) {
        return BodyLayout.align(nameLengths[field] + 1);
    }

    byte[] definition() {
        return definition;
    }

    int count() {
        return types.length;
    }

    int type(int field) {
        return types[field];
    }

    int nameLength(int field) {
        return nameLengths[field];
    }

    /** Where the given field begins in the definition, or, for {@link #count()}, where the last ends. */
    int offset(int field) {
        return offsets[field];
    }

    /** Whether a text begins with the name of a field and an equals sign. */
    @HotPath
    boolean startsWith(int field, byte[] bytes, int offset, int limit) {
        int last = offset + padded(field) - Long.BYTES;
        long[] name = words[field];
        if (name == null || offset + nameLengths[field] >= limit || last > bytes.length - Long.BYTES) {
            return false; // where a word would reach over the end nothing is expected
        }
        for (int i = 0; i < name.length - 1; i++) {
            if ((long) LONGS.get(bytes, offset + Long.BYTES * i) != name[i]) {
                return false;
            }
        }
        return (((long) LONGS.get(bytes, last) ^ name[name.length - 1]) & masks[field]) == 0;
    }

    /** Whether a field has a name. */
    @HotPath
    boolean isNamed(int field, byte[] bytes, int offset, int length) {
        int name = offsets[field] + BodyLayout.FIELD_NAME;
        return nameLengths[field] == length
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
