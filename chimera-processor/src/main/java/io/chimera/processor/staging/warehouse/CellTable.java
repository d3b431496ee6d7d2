package io.chimera.processor.staging.warehouse;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Open-addressing hash table from 64-bit hashes to cells, in chunks. Hashes are as good as random ({@code SeriesHash}),
 * so a slot is the hash modulo the number of slots, and a collision takes the next slot.
 *
 * <pre>
 *   slot   0       8      12    16
 *          +-------+------+-----+
 *          | hash  | cell | 0   |     cell 0: the slot is free
 *          +-------+------+-----+
 * </pre>
 */
final class CellTable {
    private static final int SLOT_SHIFT = 4;
    private static final int SLOTS_SHIFT = ChunkPool.CHUNK_SHIFT - SLOT_SHIFT;
    private static final int SLOTS_PER_CHUNK = 1 << SLOTS_SHIFT;
    private static final int CELL = 8;

    private final ChunkPool pool;
    private UnsafeBuffer[] chunks = {};
    private int mask = -1;
    private int size;

    CellTable(ChunkPool pool) {
        this.pool = pool;
    }

    /** Returns the slot of the first cell with a hash, or -1. */
    @HotPath
    int find(long hash) {
        return chunks.length == 0 ? -1 : findFrom((int) hash & mask, hash);
    }

    /** Returns the slot of the next cell with the same hash after a slot, or -1. */
    @HotPath
    int findAfter(int slot, long hash) {
        return findFrom((slot + 1) & mask, hash);
    }

    private int findFrom(int first, long hash) {
        for (int slot = first; ; slot = (slot + 1) & mask) {
            UnsafeBuffer chunk = chunks[slot >>> SLOTS_SHIFT];
            int offset = offset(slot);
            if (chunk.getInt(offset + CELL) == 0) {
                return -1;
            }
            if (chunk.getLong(offset) == hash) {
                return slot;
            }
        }
    }

    @HotPath
    int cell(int slot) {
        return chunks[slot >>> SLOTS_SHIFT].getInt(offset(slot) + CELL);
    }

    private static int offset(int slot) {
        return (slot & (SLOTS_PER_CHUNK - 1)) << SLOT_SHIFT;
    }

    /** Makes room for one more cell; false when the pool is exhausted and the table is 7/8 full. */
    boolean makeRoom() {
        int slots = chunks.length << SLOTS_SHIFT;
        // At half full a search reads 1.5 slots; at 7/8, after growing has failed, 4.5.
        return 2 * (size + 1) <= slots || grow() || 8L * (size + 1) <= 7L * slots;
    }

    @ColdPath
    private boolean grow() {
        UnsafeBuffer[] larger = new UnsafeBuffer[Math.max(1, 2 * chunks.length)];
        for (int i = 0; i < larger.length; i++) {
            larger[i] = pool.take();
            if (larger[i] == null) {
                for (int j = 0; j < i; j++) {
                    pool.give(larger[j]);
                }
                return false;
            }
            larger[i].setMemory(0, ChunkPool.CHUNK_LENGTH, (byte) 0);
        }
        UnsafeBuffer[] smaller = chunks;
        chunks = larger;
        mask = (larger.length << SLOTS_SHIFT) - 1;
        size = 0;
        for (UnsafeBuffer chunk : smaller) {
            for (int offset = 0; offset < ChunkPool.CHUNK_LENGTH; offset += 1 << SLOT_SHIFT) {
                if (chunk.getInt(offset + CELL) != 0) {
                    put(chunk.getLong(offset), chunk.getInt(offset + CELL));
                }
            }
            pool.give(chunk);
        }
        return true;
    }

    /** Adds a cell; there is room. */
    void put(long hash, int cell) {
        int slot = (int) hash & mask;
        while (cell(slot) != 0) {
            slot = (slot + 1) & mask;
        }
        UnsafeBuffer chunk = chunks[slot >>> SLOTS_SHIFT];
        chunk.putLong(offset(slot), hash);
        chunk.putInt(offset(slot) + CELL, cell);
        size++;
    }

    void clear() {
        for (UnsafeBuffer chunk : chunks) {
            pool.give(chunk);
        }
        chunks = new UnsafeBuffer[0];
        mask = -1;
        size = 0;
    }
}
