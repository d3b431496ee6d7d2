package io.chimera.queue.flow;

import io.chimera.api.HotPath;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Finds records by the hash of their key: open addressing with linear probing, off-heap, at most half full. What matters to the search
 * lies densely, 8 to a cache line; the records are elsewhere.
 *
 * <pre>
 *   0                     4                     8
 *   +---------------------+---------------------+
 *   | upper half of hash  | number + 1, 0 empty |     a slot; its home is given by the uppermost bits of the hash
 *   +---------------------+---------------------+
 * </pre>
 */
final class FlowIndex {
    /** No record. */
    static final int NONE = -1;

    private static final int SLOT_LENGTH = 8;

    private final UnsafeBuffer memory;
    private final long slots;
    private final int mask;
    private final int shift;

    /** An empty index for so many records. */
    FlowIndex(int capacity) {
        int count = BitUtil.findNextPositivePowerOfTwo(Math.max(16, 2 * capacity));
        memory = new UnsafeBuffer(
                BufferUtil.allocateDirectAligned(Math.multiplyExact(count, SLOT_LENGTH), BitUtil.CACHE_LINE_LENGTH));
        slots = memory.addressOffset();
        mask = count - 1;
        shift = Long.numberOfLeadingZeros(mask);
    }

    /** Where to begin for a hash. */
    @HotPath
    int home(long hash) {
        return (int) (hash >>> shift);
    }

    /** What is at a slot; see {@link #number} and {@link #mayBe}. */
    @HotPath
    long content(int slot) {
        return UnsafeApi.getLong(at(slot));
    }

    /** Number of the record in a slot, or {@link #NONE}: then the search is over. */
    @HotPath
    static int number(long content) {
        return (int) content - 1;
    }

    /** Whether the record in a slot may be the one. */
    @HotPath
    static boolean mayBe(long content, long hash) {
        return content >>> 32 == hash >>> 32;
    }

    /** The next slot. */
    @HotPath
    int next(int slot) {
        return (slot + 1) & mask;
    }

    /** Puts a record where the search for it ended. */
    @HotPath
    void put(int slot, long hash, int number) {
        UnsafeApi.putLong(at(slot), (hash & 0xFFFF_FFFF_0000_0000L) | (number + 1L));
    }

    /** Takes a record out, and closes the gap. */
    @HotPath
    void remove(long hash, int number) {
        int gap = home(hash);
        while (number(content(gap)) != number) {
            gap = next(gap);
        }
        int slot = gap;
        while (true) {
            slot = next(slot);
            long content = content(slot);
            if ((int) content == 0) {
                UnsafeApi.putLong(at(gap), 0);
                return;
            }
            int distance = (slot - home(content)) & mask;
            if (distance >= ((slot - gap) & mask)) { // its home is not behind the gap
                UnsafeApi.putLong(at(gap), content);
                gap = slot;
            }
        }
    }

    private long at(int slot) {
        return slots + (long) slot * SLOT_LENGTH;
    }
}
