package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import net.openhft.hashing.LongHashFunction;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Finds the set of fields that a record has, beginning with the guess that it is that of the series' last record. As long
 * as the guess holds a field costs one comparison; where it fails the definition is put together and looked up. Sets that
 * are known are bounded; at the bound they are forgotten, and learned again. Not thread-safe; allocates where it learns.
 */
final class FieldsBuilder {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, LITTLE_ENDIAN);
    private static final LongHashFunction XX3 = LongHashFunction.xx3();

    private static final int NONE = -1;
    private static final int LENGTH_FIRST = 1024;

    /** Senders have some dozens of sets. */
    private static final long BYTES_MAX = 4L << 20;

    /** What a set takes beside its definition: for itself, and for each field an object. */
    private static final int SET_OVERHEAD = 200;

    private static final int FIELD_OVERHEAD = 96;

    private final Long2ObjectHashMap<FieldSet> known = new Long2ObjectHashMap<>();
    private final Runnable forget;
    private long bytesUsed;

    /** The guess, and how many fields of the record have borne it out. */
    private FieldSet guess;

    private FieldSet.Field[] expected = {};

    private boolean isGuessed;
    private int count;

    /** Type of the next field, whose name was found to be as guessed. */
    private int ahead;

    private byte[] definition = new byte[LENGTH_FIRST];
    private int position;

    /**
     * A builder that knows no set.
     *
     * @param forget lets go of all sets: those that were known are known no more
     */
    FieldsBuilder(Runnable forget) {
        this.forget = forget;
    }

    /** Begins a record, of whose series nothing is known. */
    void begin() {
        count = 0;
        ahead = NONE;
        isGuessed = guess != null;
    }

    /** Guesses; before the first field. */
    void guess(FieldSet set) {
        if (set != null) {
            use(set);
            isGuessed = true;
        }
    }

    int count() {
        return count;
    }

    /** Bytes of the next field's name when a text begins with it and an equals sign, as guessed; else -1. */
    @HotPath
    int ahead(byte[] bytes, int offset, int limit) {
        if (isGuessed && count < expected.length) {
            FieldSet.Field field = expected[count];
            if (field.startsAt(bytes, offset, limit)) {
                ahead = field.type();
                return field.nameLength();
            }
        }
        ahead = NONE;
        return NONE;
    }

    /** Takes a field; false when it does not fit into a definition. */
    @HotPath
    boolean add(byte[] name, int offset, int length, int type) {
        if (ahead == type) {
            ahead = NONE;
            count++;
            return true;
        }
        return addUnexpected(name, offset, length, type);
    }

    private boolean addUnexpected(byte[] name, int offset, int length, int type) {
        ahead = NONE;
        if (isGuessed
                && count < expected.length
                && expected[count].type() == type
                && guess.isNamed(count, name, offset, length)) {
            count++;
            return true;
        }
        return addOther(name, offset, length, type);
    }

    private void use(FieldSet set) {
        if (guess != set) {
            guess = set; // a reference that is written costs the garbage collector's barrier
            expected = set.fields();
        }
    }

    private boolean addOther(byte[] name, int offset, int length, int type) {
        if (isGuessed) {
            isGuessed = false;
            position = guess.offset(count);
            if (!hasRoom(0)) {
                return false;
            }
            System.arraycopy(guess.definition(), 0, definition, 0, position);
        } else if (count == 0) {
            position = BodyLayout.FIRST_FIELD;
        }
        if (length > 0xFFFF || count == 0xFFFF || !hasRoom(BodyLayout.FIELD_NAME + length)) {
            return false;
        }
        INTS.set(definition, position, type | length << 16);
        System.arraycopy(name, offset, definition, position + BodyLayout.FIELD_NAME, length);
        position += BodyLayout.FIELD_NAME + length;
        count++;
        return true;
    }

    /** Whether so many bytes and the padding fit; grows the array once. */
    private boolean hasRoom(int length) {
        int needed = position + length + 8;
        if (needed > definition.length && needed <= BodyLayout.LENGTH_MAX) {
            definition =
                    Arrays.copyOf(definition, Math.min(BodyLayout.LENGTH_MAX, Math.max(needed, 2 * definition.length)));
        }
        return needed <= definition.length;
    }

    /** The set of the fields that were added, of which there is at least one. */
    @HotPath
    FieldSet end() {
        return isGuessed && count == guess.count() ? guess : endOther();
    }

    private FieldSet endOther() {
        if (isGuessed) {
            position = guess.offset(count);
            if (!hasRoom(0)) {
                throw new IllegalStateException("A part of a definition is longer than the whole may be.");
            }
            System.arraycopy(guess.definition(), 0, definition, 0, position);
        }
        int length = BodyLayout.align(position);
        Arrays.fill(definition, position, length, (byte) 0);
        INTS.set(definition, 0, length | BodyLayout.FIELDS);
        INTS.set(definition, BodyLayout.DEFINITION_COUNT, count);
        long hash = XX3.hashBytes(definition, 0, length);
        FieldSet found = known.get(hash);
        if (found == null || !Arrays.equals(found.definition(), 0, found.definition().length, definition, 0, length)) {
            found = learn(hash, length);
        }
        use(found);
        return found;
    }

    private FieldSet learn(long hash, int length) {
        long needed = SET_OVERHEAD + 2L * length + (long) FIELD_OVERHEAD * count;
        bytesUsed += needed;
        if (bytesUsed > BYTES_MAX) {
            known.clear();
            forget.run();
            bytesUsed = needed;
        }
        FieldSet set = new FieldSet(Arrays.copyOf(definition, length));
        known.put(hash, set);
        return set;
    }
}
