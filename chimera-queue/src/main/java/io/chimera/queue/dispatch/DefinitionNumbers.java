package io.chimera.queue.dispatch;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.common.wire.BodyLayout;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.Long2LongHashMap;

/**
 * Numbers of series, or of field sets, within a pass: equal definitions of all batches share one number. The owner
 * bounds the memory by calling {@link #isFull} between batches. The channel manager's thread; allocates only when
 * growing.
 */
final class DefinitionNumbers {
    /**
     * Maximum number of definitions in a batch of 768 KiB, each of at least 16 bytes: all definitions of a batch must
     * get numbers.
     */
    private static final int BATCH_MAX = 48 << 10;

    /** Limit of the numbers in a body before a batch, so that all definitions of the batch get numbers of 16 bits. */
    static final int BODY_MAX = BodyLayout.DEFINITIONS_MAX - BATCH_MAX;

    /**
     * Limit of the numbers of a pass before a batch, when bodies have numbers of their own. A body of a pipeline with
     * keys has a table of four bytes per number of the pass.
     */
    private static final int PASS_MAX = 64 << 10;

    private static final long NONE = -1;

    /** Mask for the first word of a definition without its number. */
    private static final long FIRST_WORD_MASK = 0x0000_FFFF_FFFF_FFFFL;

    private final Long2LongHashMap byHash = new Long2LongHashMap(NONE);
    private final ExpandableArrayBuffer definitions = new ExpandableArrayBuffer();
    private int[] places = new int[64];
    private int count;
    private int bytesUsed;

    /** The number returned last: batches almost always define the same series in the same order. */
    private int last;

    private final int bytesMax;
    private final int countMax;

    /** Creates numbers that are also the numbers of a body, with a limit in bytes for {@link #isFull}. */
    DefinitionNumbers(int bytesMax) {
        this(bytesMax, BODY_MAX);
    }

    private DefinitionNumbers(int bytesMax, int countMax) {
        this.bytesMax = bytesMax;
        this.countMax = countMax;
    }

    /** Creates numbers for definitions that have other numbers in bodies, with a limit in bytes for {@link #isFull}. */
    static DefinitionNumbers ofManyBodies(int bytesMax) {
        return new DefinitionNumbers(bytesMax, PASS_MAX);
    }

    /** Whether the definitions of a further batch might not fit. */
    boolean isFull() {
        return bytesUsed > bytesMax || count > countMax;
    }

    /** Forgets all definitions; numbers start at 0 again. */
    void clear() {
        byHash.clear();
        last = 0;
        count = 0;
        bytesUsed = 0;
    }

    /**
     * Returns the number of a definition; assigns the next number to a new definition.
     *
     * @param source buffer with the definition
     * @param offset index of the first byte of the definition
     * @param length length of the definition
     * @param hash hash of the definition, equal for equal definitions
     */
    @HotPath
    int of(DirectBuffer source, int offset, int length, long hash) {
        int next = last + 1;
        if (next < count && isSame(places[next], source, offset, length)) {
            last = next;
            return next;
        }
        long known = byHash.get(hash);
        last = known != NONE && isSame(places[(int) known], source, offset, length)
                ? (int) known
                : add(source, offset, length, hash);
        return last;
    }

    /** Count of assigned numbers, equal to the next new number. */
    int count() {
        return count;
    }

    private boolean isSame(int place, DirectBuffer source, int offset, int length) {
        long first = definitions.getLong(place, LITTLE_ENDIAN) ^ source.getLong(offset, LITTLE_ENDIAN);
        if ((first & FIRST_WORD_MASK) != 0) {
            return false; // the first word contains the length
        }
        for (int i = Long.BYTES; i < length; i += Long.BYTES) {
            if (definitions.getLong(place + i) != source.getLong(offset + i)) {
                return false;
            }
        }
        return true;
    }

    private int add(DirectBuffer source, int offset, int length, long hash) {
        if (count == places.length) {
            places = Arrays.copyOf(places, 2 * count);
        }
        places[count] = bytesUsed;
        definitions.putBytes(bytesUsed, source, offset, length);
        bytesUsed += length;
        // after a hash collision the map knows the later definition, and the earlier definition gets new numbers
        byHash.put(hash, count);
        return count++;
    }
}
