package io.chimera.processor.staging.warehouse;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.common.wire.Entries;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Entries of frames, copied unchanged into consecutive positions of chunks: the input of a composition once its shard
 * is whole. An entry never spans two chunks. After the last entry of a chunk follows a word of zeros, which is no
 * entry, unless the chunk is full. A place combines the index of the chunk in the upper bits and the index in the chunk
 * in the lower bits. Written by one thread; read by one thread after a handover.
 */
public final class KeptEntries {
    /** Maximum length of an entry in bytes. */
    public static final int ENTRY_LENGTH_MAX = ChunkPool.CHUNK_LENGTH;

    /** No place. */
    public static final long NONE = -1;

    private static final long OFFSET_MASK = ChunkPool.CHUNK_LENGTH - 1;

    private final ChunkPool pool;
    private final List<UnsafeBuffer> chunks = new ArrayList<>();
    private int position = ChunkPool.CHUNK_LENGTH;
    private long reserved;

    /**
     * Creates an empty object.
     *
     * @param pool of the thread that appends and clears
     */
    public KeptEntries(ChunkPool pool) {
        this.pool = pool;
    }

    /**
     * Appends an entry.
     *
     * @param length a multiple of 8, at most {@link #ENTRY_LENGTH_MAX}
     * @return its place; {@link #NONE} when a limit is reached
     */
    @HotPath
    public long append(DirectBuffer source, int offset, int length) {
        if (position + length > ChunkPool.CHUNK_LENGTH && !grow()) {
            return NONE;
        }
        UnsafeBuffer chunk = chunks.get(chunks.size() - 1);
        int at = position;
        chunk.putBytes(at, source, offset, length);
        position += length;
        if (position < ChunkPool.CHUNK_LENGTH) {
            chunk.putLong(position, 0);
        }
        return place(chunks.size() - 1, at);
    }

    private boolean grow() {
        UnsafeBuffer chunk = pool.take();
        if (chunk == null) {
            return false;
        }
        chunks.add(chunk);
        position = 0;
        return true;
    }

    /** Counts memory next to the entries against the limit; false when the limit is reached. */
    public boolean reserve(long bytes) {
        boolean isRoom = pool.reserve(bytes);
        reserved += isRoom ? bytes : 0;
        return isRoom;
    }

    /** Returns key and value of the limit of bytes, for the log. */
    public String limit() {
        return pool.bytesLimit();
    }

    /** Returns the number of chunks. */
    public int chunks() {
        return chunks.size();
    }

    /** Returns a chunk; its entries begin at index 0 and are consecutive. */
    public UnsafeBuffer chunk(int index) {
        return chunks.get(index);
    }

    /** Returns whether an entry begins at the index after the previous entry of a chunk. */
    @HotPath
    public static boolean isEntry(UnsafeBuffer chunk, int index) {
        return index < ChunkPool.CHUNK_LENGTH && Entries.length(chunk, index) != 0;
    }

    /** Returns the place of an entry. */
    @HotPath
    public static long place(int chunk, int index) {
        return ((long) chunk << ChunkPool.CHUNK_SHIFT) | index;
    }

    /** Returns the buffer of an entry. */
    @HotPath
    public UnsafeBuffer buffer(long place) {
        return chunks.get((int) (place >>> ChunkPool.CHUNK_SHIFT));
    }

    /** Returns the index of an entry in its buffer. */
    @HotPath
    public static int offset(long place) {
        return (int) (place & OFFSET_MASK);
    }

    /** Clears all entries and releases the memory. */
    @ColdPath
    public void clear() {
        chunks.forEach(pool::give);
        chunks.clear();
        position = ChunkPool.CHUNK_LENGTH;
        pool.release(reserved);
        reserved = 0;
    }
}
