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

    private static long place(int chunk, int offset) {
        return ((long) chunk << ChunkPool.CHUNK_SHIFT) | offset;
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

    /** Place of the first entry; {@link #NONE} when there is none. */
    public long first() {
        return chunks.isEmpty() ? NONE : 0;
    }

    /** Place of the entry behind one; {@link #NONE} behind the last. */
    @HotPath
    public long next(long place) {
        UnsafeBuffer chunk = buffer(place);
        int next = offset(place) + Entries.length(chunk, offset(place));
        if (next < ChunkPool.CHUNK_LENGTH && Entries.length(chunk, next) != 0) {
            return place((int) (place >>> ChunkPool.CHUNK_SHIFT), next);
        }
        int following = (int) (place >>> ChunkPool.CHUNK_SHIFT) + 1;
        return following < chunks.size() ? place(following, 0) : NONE;
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
