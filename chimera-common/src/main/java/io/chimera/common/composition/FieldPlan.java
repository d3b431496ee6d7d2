package io.chimera.common.composition;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.RecordFlyweight;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What was found out of one set of fields: types, where names and texts are, and which field has which name. Points have the
 * same few sets over and over again. Not thread-safe; allocates where it learns a longer set.
 */
final class FieldPlan {
    private static final int NONE = -1;
    private static final int NAMES_MAX = 16;

    /** What of a definition's first word is not its number. */
    private static final long FIRST_WORD_MASK = 0x0000_FFFF_FFFF_FFFFL;

    private final UnsafeBuffer definition = new UnsafeBuffer(new byte[0]);
    private final FieldsFlyweight fields = new FieldsFlyweight();
    private int length;
    private int count;

    /** By field, from the begin of the definition. */
    private int[] names = new int[16];

    private FieldType[] types = new FieldType[16];

    /** By field, how many texts stand ahead of its own in a record. */
    private int[] textsAhead = new int[16];

    /** The fields that are text, in their order. */
    private int[] texts = new int[16];

    /** Names that were asked for, the very objects, and their fields. */
    private final String[] asked = new String[NAMES_MAX];

    private final int[] answers = new int[NAMES_MAX];
    private int askedCount;

    FieldPlan() {}

    /** Whether it is that of a set; its number does not matter. */
    @HotPath
    boolean isOf(FieldsFlyweight other) {
        int start = other.offset();
        if (length == 0
                || ((definition.getLong(0, LITTLE_ENDIAN) ^ other.buffer().getLong(start, LITTLE_ENDIAN))
                                & FIRST_WORD_MASK)
                        != 0) {
            return false; // the length is in the first word
        }
        for (int i = Long.BYTES; i < length; i += Long.BYTES) {
            if (definition.getLong(i) != other.buffer().getLong(start + i)) {
                return false;
            }
        }
        return true;
    }

    /** Becomes that of a set. */
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
            textsAhead = new int[2 * count];
            texts = new int[2 * count];
        }
        int textCount = 0;
        int at = fields.first();
        for (int i = 0; i < count; i++) {
            names[i] = at;
            types[i] = FieldType.ofCode(fields.type(at));
            textsAhead[i] = textCount;
            if (types[i] == FieldType.TEXT) {
                texts[textCount++] = i;
            }
            at = fields.next(at);
        }
        Arrays.fill(asked, null);
        askedCount = 0;
    }

    int count() {
        return count;
    }

    /** Index of the field of a name; -1 when there is none. */
    @HotPath
    @SuppressWarnings("ReferenceEquality") // constants of blocks: whatever is not the same object is searched for
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
        if (askedCount < NAMES_MAX) { // whoever makes a name anew each time searches each time
            asked[askedCount] = name;
            answers[askedCount++] = found;
        }
        return found;
    }

    @HotPath
    FieldType type(int index) {
        return types[index];
    }

    /** Index of the name of a field, from the begin of the definition. */
    int name(int index) {
        return fields.name(names[index]);
    }

    int nameLength(int index) {
        return fields.nameLength(names[index]);
    }

    /** Index of the text of a field in the buffer of a record. */
    @HotPath
    int text(int index, RecordFlyweight record) {
        int at = record.firstText(count);
        for (int i = 0; i < textsAhead[index]; i++) {
            at = RecordFlyweight.nextText(at, record.bits(texts[i]));
        }
        return at;
    }
}
