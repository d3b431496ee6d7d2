package io.chimera.common.composition;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.RecordFlyweight;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Cached layout of one field set: types, positions of names, texts and histograms, and field indexes by name. Points
 * use the same few field sets repeatedly. Not thread-safe; allocates only to learn a longer field set.
 */
final class FieldPlan {
    private static final int NONE = -1;
    private static final int NAMES_MAX = 16;

    /** Bits of a definition's first word without the definition number. */
    private static final long FIRST_WORD_MASK = 0x0000_FFFF_FFFF_FFFFL;

    private final UnsafeBuffer definition = new UnsafeBuffer(new byte[0]);
    private final FieldsFlyweight fields = new FieldsFlyweight();
    private int length;
    private int count;

    /** Offsets of the fields in the definition. */
    private int[] names = new int[16];

    private FieldType[] types = new FieldType[16];

    /** Number of texts and histograms before each field. */
    private int[] bytesAhead = new int[16];

    /** Indexes of the texts and histograms, in order. */
    private int[] withBytes = new int[16];

    /** Cache of looked-up names, compared by identity; {@code answers} has their field indexes. */
    private final String[] asked = new String[NAMES_MAX];

    private final int[] answers = new int[NAMES_MAX];
    private int askedCount;

    FieldPlan() {}

    /** Returns whether the plan is for the given field set; the number of the definition is irrelevant. */
    @HotPath
    boolean isOf(FieldsFlyweight other) {
        int start = other.offset();
        if (length == 0
                || ((definition.getLong(0, LITTLE_ENDIAN) ^ other.buffer().getLong(start, LITTLE_ENDIAN))
                                & FIRST_WORD_MASK)
                        != 0) {
            return false; // the first word contains the length
        }
        for (int i = Long.BYTES; i < length; i += Long.BYTES) {
            if (definition.getLong(i) != other.buffer().getLong(start + i)) {
                return false;
            }
        }
        return true;
    }

    /** Replaces this plan with the plan of a field set. */
    @ColdPath
    void learn(FieldsFlyweight other) {
        length = other.length();
        if (definition.capacity() < length) {
            definition.wrap(new byte[2 * length]);
        }
        definition.putBytes(0, other.buffer(), other.offset(), length);
        fields.wrap(definition, 0);
        count = fields.count();
        if (count > names.length) {
            names = new int[2 * count];
            types = new FieldType[2 * count];
            bytesAhead = new int[2 * count];
            withBytes = new int[2 * count];
        }
        int withBytesCount = 0;
        int at = fields.first();
        for (int i = 0; i < count; i++) {
            names[i] = at;
            types[i] = FieldType.ofCode(fields.type(at));
            bytesAhead[i] = withBytesCount;
            if (FieldType.isBytes(types[i].code())) {
                withBytes[withBytesCount++] = i;
            }
            at = fields.next(at);
        }
        Arrays.fill(asked, null);
        askedCount = 0;
    }

    int count() {
        return count;
    }

    /** Returns the index of the field with a name, or -1. */
    @HotPath
    @SuppressWarnings("ReferenceEquality") // block names are constants; other objects fall back to the search
    int find(String name) {
        for (int i = 0; i < askedCount; i++) {
            if (asked[i] == name) {
                return answers[i];
            }
        }
        return search(name);
    }

    private int search(String name) {
        int found = NONE;
        for (int i = 0; i < count && found == NONE; i++) {
            if (TextFlyweight.isSame(definition, fields.name(names[i]), fields.nameLength(names[i]), name)) {
                found = i;
            }
        }
        if (askedCount < NAMES_MAX) { // a block with a new name object per call always uses the search
            asked[askedCount] = name;
            answers[askedCount++] = found;
        }
        return found;
    }

    @HotPath
    FieldType type(int index) {
        return types[index];
    }

    /** Offset of a field's name in the definition. */
    int name(int index) {
        return fields.name(names[index]);
    }

    int nameLength(int index) {
        return fields.nameLength(names[index]);
    }

    /** Index of the bytes of a field's text or histogram in the buffer of a record. */
    @HotPath
    int bytes(int index, RecordFlyweight record) {
        int at = record.firstBytes(count);
        for (int i = 0; i < bytesAhead[index]; i++) {
            at = RecordFlyweight.nextBytes(at, record.bits(withBytes[i]));
        }
        return at;
    }
}
