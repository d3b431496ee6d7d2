package io.chimera.common.wire.encode;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.common.wire.BodyLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import net.openhft.hashing.LongHashFunction;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Finds the field set of a record. The first guess is the field set of the series' previous record. While the guess is
 * right, each field costs one comparison; after a wrong guess the builder assembles the definition and looks up the
 * field set. The number of known field sets is bounded; at the bound the builder drops all of them and learns again.
 * Not thread-safe; allocates only when a field set is learned.
 */
final class FieldsBuilder {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, LITTLE_ENDIAN);
    private static final LongHashFunction XX3 = LongHashFunction.xx3();

    private static final int NONE = -1;
    private static final int LENGTH_FIRST = 1024;

    /** Bound of the memory for known field sets. Senders use a few dozen field sets. */
    private static final long BYTES_MAX = 4L << 20;

    /**
     * Memory overhead of a field set in addition to the definition: the set object; {@code FIELD_OVERHEAD} is per
     * field.
     */
    private static final int SET_OVERHEAD = 200;

    private static final int FIELD_OVERHEAD = 96;

    private final Long2ObjectHashMap<FieldSet> known = new Long2ObjectHashMap<>();
    private final Runnable forget;
    private long bytesUsed;

    /** Guessed field set; {@code count} fields of the record have matched. */
    private FieldSet guess;

    private FieldSet.Field[] expected = {};

    private boolean isGuessed;
    private int count;

    /** Type of the next field after its name has matched the guess; otherwise {@code NONE}. */
    private int ahead;

    private byte[] definition = new byte[LENGTH_FIRST];
    private int position;

    /**
     * Creates a builder without known field sets.
     *
     * @param forget drops the caller's references to all known field sets
     */
    FieldsBuilder(Runnable forget) {
        this.forget = forget;
    }

    /** Begins a record of an unknown series. */
    void begin() {
        count = 0;
        ahead = NONE;
        isGuessed = guess != null;
    }

    /** Sets the guess; must precede the first field. */
    void guess(FieldSet set) {
        if (set != null) {
            use(set);
            isGuessed = true;
        }
    }

    int count() {
        return count;
    }

    /**
     * Returns the name length of the guessed next field if the text begins with the name and an equals sign; otherwise
     * -1.
     */
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

    /** Adds a field; returns false if the field does not fit into a definition. */
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
            guess = set; // skips the GC write barrier when the reference is unchanged
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

    /** Returns whether this number of bytes plus padding fits; grows the array if needed. */
    private boolean hasRoom(int length) {
        int needed = position + length + 8;
        if (needed > definition.length && needed <= BodyLayout.LENGTH_MAX) {
            definition =
                    Arrays.copyOf(definition, Math.min(BodyLayout.LENGTH_MAX, Math.max(needed, 2 * definition.length)));
        }
        return needed <= definition.length;
    }

    /** Returns the field set of the added fields; requires at least one field. */
    @HotPath
    FieldSet end() {
        return isGuessed && count == guess.count() ? guess : endOther();
    }

    private FieldSet endOther() {
        if (isGuessed) {
            position = guess.offset(count);
            if (!hasRoom(0)) {
                throw new IllegalStateException("Field-set definition exceeds its maximum length.");
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

    @ColdPath
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
