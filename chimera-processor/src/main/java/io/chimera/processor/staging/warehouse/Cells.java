package io.chimera.processor.staging.warehouse;

import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory of a warehouse: cells of any length up to a chunk's, one behind the other, given back all at once. A cell is named
 * by its place: 8-byte words from the start of the first chunk. Word 0 is nobody's.
 */
final class Cells {
    /** No cell. */
    static final int NONE = Warehouse.NONE;

    /** The most bytes a cell may have. */
    static final int LENGTH_MAX = ChunkPool.CHUNK_LENGTH - 8;

    private static final int WORDS_SHIFT = ChunkPool.CHUNK_SHIFT - 3;
    private static final int WORDS_MASK = (1 << WORDS_SHIFT) - 1;

    /** With more chunks the place of a cell would not fit an int. */
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
     * Makes a cell.
     *
     * @param length at most {@link #LENGTH_MAX}
     * @return its place, with anything in it; NONE when a limit is reached
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

    /** Says that there is no memory left; returns NONE. */
    int full() {
        return full(chunkCount == CHUNKS_MAX ? "16 GiB for one part of a shard" : pool.bytesLimit());
    }

    /** Says which limit is reached; returns NONE. */
    int full(String limit) {
        fullBecause = limit;
        return NONE;
    }

    /** The limit that was reached, or nothing. */
    String fullBecause() {
        return fullBecause;
    }

    /** Gives all of it back. */
    void clear() {
        for (int i = 0; i < chunkCount; i++) {
            pool.give(chunks[i]);
            chunks[i] = null;
        }
        chunkCount = 0;
        fullBecause = "";
    }

    /** Chunk of a cell. */
    UnsafeBuffer chunk(int cell) {
        return chunks[cell >>> WORDS_SHIFT];
    }

    /** Index of a cell in its chunk. */
    static int offset(int cell) {
        return (cell & WORDS_MASK) << 3;
    }
}
