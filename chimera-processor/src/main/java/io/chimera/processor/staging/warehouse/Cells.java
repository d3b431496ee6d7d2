package io.chimera.processor.staging.warehouse;

import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory of a warehouse: consecutive cells with lengths up to a chunk's, released all together. The number of a cell is
 * its position in 8-byte words from the start of the first chunk. Word 0 belongs to no cell.
 */
final class Cells {
    /** Number of no cell. */
    static final int NONE = Warehouse.NONE;

    /** Maximum length of a cell in bytes. */
    static final int LENGTH_MAX = ChunkPool.CHUNK_LENGTH - 8;

    private static final int WORDS_SHIFT = ChunkPool.CHUNK_SHIFT - 3;
    private static final int WORDS_MASK = (1 << WORDS_SHIFT) - 1;

    /** Maximum number of chunks. With more chunks the number of a cell would not fit an int. */
    private static final int CHUNKS_MAX = 1 << (31 - WORDS_SHIFT);

    private final ChunkPool pool;
    private UnsafeBuffer[] chunks = new UnsafeBuffer[4];
    private int chunkCount;
    private int position;
    private String fullBecause = "";

    Cells(ChunkPool pool) {
        this.pool = pool;
    }

    /**
     * Allocates a cell.
     *
     * @param length at most {@link #LENGTH_MAX}
     * @return the cell with undefined content; NONE when a limit is reached
     */
    int allocate(int length) {
        int padded = (length + 7) & ~7;
        if (chunkCount == 0 || position + padded > ChunkPool.CHUNK_LENGTH) {
            UnsafeBuffer chunk = chunkCount == CHUNKS_MAX ? null : pool.take();
            if (chunk == null) {
                return full();
            }
            if (chunkCount == chunks.length) {
                chunks = Arrays.copyOf(chunks, 2 * chunkCount);
            }
            chunks[chunkCount++] = chunk;
            position = chunkCount == 1 ? 8 : 0;
        }
        int cell = ((chunkCount - 1) << WORDS_SHIFT) + (position >>> 3);
        position += padded;
        return cell;
    }

    /** Records that no memory is left; returns NONE. */
    int full() {
        return full(chunkCount == CHUNKS_MAX ? "16 GiB for one part of a shard" : pool.bytesLimit());
    }

    /** Records the reached limit; returns NONE. */
    int full(String limit) {
        fullBecause = limit;
        return NONE;
    }

    /** Returns the reached limit; empty for none. */
    String fullBecause() {
        return fullBecause;
    }

    /** Releases all chunks. */
    void clear() {
        for (int i = 0; i < chunkCount; i++) {
            pool.give(chunks[i]);
            chunks[i] = null;
        }
        chunkCount = 0;
        fullBecause = "";
    }

    /** Returns the chunk of a cell. */
    UnsafeBuffer chunk(int cell) {
        return chunks[cell >>> WORDS_SHIFT];
    }

    /** Returns the index of a cell in its chunk. */
    static int offset(int cell) {
        return (cell & WORDS_MASK) << 3;
    }
}
