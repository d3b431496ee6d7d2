package io.chimera.processor.staging.warehouse;

import io.chimera.api.HotPath;
import io.chimera.common.wire.Entries;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Entries of frames as they came, one behind the other in chunks: what a composition takes when its shard is whole. An entry
 * lies in one chunk; behind the last of a chunk stands a word of zeros, which is no entry, where there is room for it. A
 * place is the index of the chunk and, in the lower bits, that in the chunk. Written by one thread; read by one that got it from there.
 */
public final class KeptEntries {
    /** The most bytes an entry may have. */
    public static final int ENTRY_LENGTH_MAX = ChunkPool.CHUNK_LENGTH;

    /** No place. */
    public static final long NONE = -1;

    private static final long OFFSET_MASK = ChunkPool.CHUNK_LENGTH - 1;

    private final ChunkPool pool;
    private final List<UnsafeBuffer> chunks = new ArrayList<>();
    private int position = ChunkPool.CHUNK_LENGTH;
    private long reserved;

    /**
     * Without entries.
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

    /** Counts memory that is kept beside the entries against the limit; false when that is reached. */
    public boolean reserve(long bytes) {
        boolean isRoom = pool.reserve(bytes);
        reserved += isRoom ? bytes : 0;
        return isRoom;
    }

    /** The limit of bytes, for the log: its key and value. */
    public String limit() {
        return pool.bytesLimit();
    }

    /** Number of chunks. */
    public int chunks() {
        return chunks.size();
    }

    /** A chunk; its entries begin at index 0, one behind the other. */
    public UnsafeBuffer chunk(int index) {
        return chunks.get(index);
    }

    /** Whether there is an entry at an index behind those of a chunk that came before. */
    @HotPath
    public static boolean isEntry(UnsafeBuffer chunk, int index) {
        return index < ChunkPool.CHUNK_LENGTH && Entries.length(chunk, index) != 0;
    }

    /** The place of an entry. */
    @HotPath
    public static long place(int chunk, int index) {
        return ((long) chunk << ChunkPool.CHUNK_SHIFT) | index;
    }

    /** Buffer that holds an entry. */
    @HotPath
    public UnsafeBuffer buffer(long place) {
        return chunks.get((int) (place >>> ChunkPool.CHUNK_SHIFT));
    }

    /** Index of an entry in its buffer. */
    @HotPath
    public static int offset(long place) {
        return (int) (place & OFFSET_MASK);
    }

    /** Forgets everything and gives the memory back. */
    public void clear() {
        chunks.forEach(pool::give);
        chunks.clear();
        position = ChunkPool.CHUNK_LENGTH;
        pool.release(reserved);
        reserved = 0;
    }
}
