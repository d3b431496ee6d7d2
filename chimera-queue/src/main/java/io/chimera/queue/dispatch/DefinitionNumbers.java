package io.chimera.queue.dispatch;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.common.wire.BodyLayout;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.Long2LongHashMap;

/**
 * The numbers by which a pass names series, or sets of fields: equal definitions of all batches have one number. What is
 * kept is bounded by whoever asks {@link #isFull} between batches. The channel manager's thread; allocates where it grows.
 */
final class DefinitionNumbers {
    /** More are forgotten before the next batch: 14,000 series of ten tags. */
    private static final int BYTES_MAX = 4 << 20;

    /** The most definitions of a batch of 768 KiB, each of 16 bytes at least: they all have to find numbers. */
    private static final int BATCH_MAX = 48 << 10;

    private static final long NONE = -1;

    /** What of a definition's first word is not its number. */
    private static final long FIRST_WORD_MASK = 0x0000_FFFF_FFFF_FFFFL;

    private final Long2LongHashMap byHash = new Long2LongHashMap(NONE);
    private final ExpandableArrayBuffer definitions = new ExpandableArrayBuffer();
    private int[] places = new int[64];
    private int count;
    private int bytesUsed;

    /** The number given last: batches define the same series in one order nearly always. */
    private int last;

    private final int bytesMax;

    /** Numbers of the definitions of a pass. */
    DefinitionNumbers() {
        this(BYTES_MAX);
    }

    /** Numbers of which some are forgotten as soon as their definitions take so many bytes. */
    DefinitionNumbers(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Whether the definitions of a whole batch might not find room. */
    boolean isFull() {
        return bytesUsed > bytesMax || count > BodyLayout.DEFINITIONS_MAX - BATCH_MAX;
    }

    /** Forgets everything; numbers begin anew. */
    void clear() {
        byHash.clear();
        last = 0;
        count = 0;
        bytesUsed = 0;
    }

    /**
     * The number of a definition.
     *
     * @param source holds it
     * @param offset index of its first byte
     * @param length its length
     * @param hash equal for equal definitions
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

    /** How many numbers are given; the next new one is this. */
    int count() {
        return count;
    }

    private boolean isSame(int place, DirectBuffer source, int offset, int length) {
        long first = definitions.getLong(place, LITTLE_ENDIAN) ^ source.getLong(offset, LITTLE_ENDIAN);
        if ((first & FIRST_WORD_MASK) != 0) {
            return false; // the length is in the first word
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
        byHash.put(hash, count); // of two definitions with one hash the later is known, and the other gets new numbers
        return count++;
    }
}
