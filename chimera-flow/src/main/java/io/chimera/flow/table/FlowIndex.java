package io.chimera.flow.table;

import io.chimera.api.HotPath;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Finds records by the hash of their key: off-heap hash table with open addressing and linear probing, at most half
 * full. Search data is dense, 8 slots per cache line; the records are stored elsewhere.
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

    /** Creates an empty index for a number of records. */
    FlowIndex(int capacity) {
        int count = BitUtil.findNextPositivePowerOfTwo(Math.max(16, 2 * capacity));
        memory = new UnsafeBuffer(
                BufferUtil.allocateDirectAligned(Math.multiplyExact(count, SLOT_LENGTH), BitUtil.CACHE_LINE_LENGTH));
        slots = memory.addressOffset();
        mask = count - 1;
        shift = Long.numberOfLeadingZeros(mask);
    }

    /** First slot to probe for a hash. */
    @HotPath
    int home(long hash) {
        return (int) (hash >>> shift);
    }

    /** Content of a slot, for {@link #number} and {@link #mayBe}. */
    @HotPath
    long content(int slot) {
        return UnsafeApi.getLong(at(slot));
    }

    /** Record number of a slot's content, or {@link #NONE}, which ends the search. */
    @HotPath
    static int number(long content) {
        return (int) content - 1;
    }

    /** Whether the slot's record may have the hash: compares the upper halves. */
    @HotPath
    static boolean mayBe(long content, long hash) {
        return content >>> 32 == hash >>> 32;
    }

    @HotPath
    int next(int slot) {
        return (slot + 1) & mask;
    }

    /** Inserts a record at the empty slot found by a search. */
    @HotPath
    void put(int slot, long hash, int number) {
        UnsafeApi.putLong(at(slot), (hash & 0xFFFF_FFFF_0000_0000L) | (number + 1L));
    }

    /** Removes a record and closes the gap. */
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
            if (distance >= ((slot - gap) & mask)) { // the entry's home is not after the gap
                UnsafeApi.putLong(at(gap), content);
                gap = slot;
            }
        }
    }

    private long at(int slot) {
        return slots + (long) slot * SLOT_LENGTH;
    }
}
