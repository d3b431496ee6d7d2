package io.chimera.processor.staging.warehouse;

import io.chimera.api.ColdPath;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.BufferUtil;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Memory of all warehouses of a processor: chunks of equal size, created on demand up to a limit and reused forever.
 * Each pool is owned by one thread, and so is each sibling; any thread may read the bytes in use.
 */
public final class ChunkPool implements AutoCloseable {
    static final int CHUNK_SHIFT = 17;

    /**
     * Length of a chunk: 128 KiB. The longest key admitted by a source fits: 64 KiB of text and 4 bytes for each of 64
     * tags. A processor with 3 cycles x 10 parts x 10 pipelines, each with two chunks and a third chunk during its
     * transmission, needs at least 113 MiB.
     */
    static final int CHUNK_LENGTH = 1 << CHUNK_SHIFT;

    /** Maximum number of idle chunks shared by siblings: 128 GiB. */
    private static final int SHARED_MAX = 1 << 20;

    private final boolean offHeap;
    private final long bytesMax;
    private final int groupsMax;

    /** Released chunks; the most recently used last. */
    private final List<UnsafeBuffer> free = new ArrayList<>();

    private final AtomicLong bytesUsed;

    /**
     * Chunks released by any sibling, in place of {@link #free}: a thread reuses chunks released by the others, so all
     * siblings together never create more chunks than the limit allows. Null without siblings.
     */
    private @Nullable ManyToManyConcurrentArrayQueue<UnsafeBuffer> freeOfAll;

    private long bytesMade;
    private int groups;

    /**
     * Creates an empty pool.
     *
     * @param offHeap true for direct buffers, false for arrays on the heap
     * @param bytesMax maximum number of bytes in use
     * @param groupsMax maximum number of groups in all warehouses of the pool
     */
    public ChunkPool(boolean offHeap, long bytesMax, int groupsMax) {
        this(offHeap, bytesMax, groupsMax, new AtomicLong());
    }

    private ChunkPool(boolean offHeap, long bytesMax, int groupsMax, AtomicLong bytesUsed) {
        this.offHeap = offHeap;
        this.bytesMax = bytesMax;
        this.groupsMax = groupsMax;
        this.bytesUsed = bytesUsed;
    }

    /**
     * Creates an empty pool for another thread. Both pools share the limit of bytes and the chunks; each has its own
     * limit of groups. To be called before either pool is used.
     */
    public ChunkPool sibling() {
        if (freeOfAll == null) {
            freeOfAll = new ManyToManyConcurrentArrayQueue<>(
                    (int) Math.max(2, Math.min(SHARED_MAX, bytesMax / CHUNK_LENGTH)));
        }
        ChunkPool sibling = new ChunkPool(offHeap, bytesMax, groupsMax, bytesUsed);
        sibling.freeOfAll = freeOfAll;
        return sibling;
    }

    /** Returns whether chunks are direct buffers. */
    public boolean isOffHeap() {
        return offHeap;
    }

    /**
     * Takes a chunk.
     *
     * @return a chunk with undefined content; null when the limit is reached
     */
    @ColdPath
    @Nullable
    UnsafeBuffer take() {
        if (!reserve(CHUNK_LENGTH)) {
            return null;
        }
        UnsafeBuffer used = free.isEmpty() ? pollShared() : free.remove(free.size() - 1);
        if (used != null) {
            return used;
        }
        bytesMade += CHUNK_LENGTH;
        return offHeap
                ? new UnsafeBuffer(ByteBuffer.allocateDirect(CHUNK_LENGTH))
                : new UnsafeBuffer(new byte[CHUNK_LENGTH]);
    }

    void give(UnsafeBuffer chunk) {
        if (freeOfAll == null) {
            free.add(chunk);
        } else if (!freeOfAll.offer(chunk)) {
            BufferUtil.free(chunk);
        }
        release(CHUNK_LENGTH); // after the offer: a thread admitted by the release finds the chunk
    }

    /** Counts memory outside the chunks against the limit; false when the limit is reached. */
    public boolean reserve(long bytes) {
        if (bytesUsed.addAndGet(bytes) > bytesMax) {
            bytesUsed.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    /** Releases reserved memory. */
    public void release(long bytes) {
        bytesUsed.addAndGet(-bytes);
    }

    /** Counts a new group; false when the limit is reached. */
    boolean addGroup() {
        boolean isRoom = groups < groupsMax;
        groups += isRoom ? 1 : 0;
        return isRoom;
    }

    /** Removes groups from the count. */
    void removeGroups(int count) {
        groups -= count;
    }

    /** Returns key and value of the limit of bytes, for the log. */
    @ColdPath
    public String bytesLimit() {
        return "processor.max_bytes = " + bytesMax;
    }

    /** Returns key and value of the limit of groups, for the log. */
    @ColdPath
    String groupsLimit() {
        return "processor.max_groups = " + groupsMax;
    }

    /** Returns the bytes in use. Any thread. */
    public long bytesUsed() {
        return bytesUsed.get();
    }

    /** Returns the bytes of all chunks created by this pool, in use or not. The owner's thread. */
    long bytesMade() {
        return bytesMade;
    }

    /** Frees the released chunks. */
    @Override
    public void close() {
        for (UnsafeBuffer chunk : free) {
            BufferUtil.free(chunk);
        }
        free.clear();
        for (UnsafeBuffer chunk = pollShared(); chunk != null; chunk = pollShared()) {
            BufferUtil.free(chunk);
        }
    }

    private @Nullable UnsafeBuffer pollShared() {
        return freeOfAll == null ? null : freeOfAll.poll();
    }
}
