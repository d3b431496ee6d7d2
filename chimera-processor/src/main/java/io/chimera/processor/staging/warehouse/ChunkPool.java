package io.chimera.processor.staging.warehouse;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.BufferUtil;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The memory of all warehouses of a processor: chunks of one size, made as they are needed up to a limit and used again
 * ever after. Owned by one thread, as is each sibling by its own; any thread reads how much is in use.
 */
public final class ChunkPool implements AutoCloseable {
    static final int CHUNK_SHIFT = 17;

    /**
     * Bytes of a chunk: 128 KiB. The longest key that a source lets through, 64 KiB of text and 4 bytes for each of 64
     * tags, fits once; and a processor with 3 cycles x 10 parts x 10 pipelines of two chunks each, and a third for what is being
     * received, needs 113 MiB at least.
     */
    static final int CHUNK_LENGTH = 1 << CHUNK_SHIFT;

    /** Chunks that siblings keep for later: 128 GiB. */
    private static final int SHARED_MAX = 1 << 20;

    private final boolean offHeap;
    private final long bytesMax;
    private final int groupsMax;

    /** Given back, the warmest last. */
    private final List<UnsafeBuffer> free = new ArrayList<>();

    private final AtomicLong bytesUsed;

    /**
     * Given back by any of the siblings, in place of {@link #free}: what one thread has no use for another takes, so that together they
     * never make more than the limit. Null without siblings.
     */
    private ManyToManyConcurrentArrayQueue<UnsafeBuffer> freeOfAll;

    private long bytesMade;
    private int groups;

    /**
     * An empty pool.
     *
     * @param offHeap true for direct buffers, false for arrays on the heap
     * @param bytesMax the most bytes it hands out at one time
     * @param groupsMax the most groups in all warehouses
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
     * An empty pool for another thread: limit of bytes and chunks are common to both, the limit of groups is each one's own. Before
     * either is used.
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

    /** Whether chunks are direct buffers. */
    public boolean isOffHeap() {
        return offHeap;
    }

    /**
     * Takes a chunk.
     *
     * @return a chunk with anything in it, or null when the limit is reached
     */
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

    /** Gives a chunk back. */
    void give(UnsafeBuffer chunk) {
        if (freeOfAll == null) {
            free.add(chunk);
        } else if (!freeOfAll.offer(chunk)) {
            BufferUtil.free(chunk);
        }
        release(CHUNK_LENGTH); // behind it: who is let in by this finds the chunk
    }

    /** Counts memory that is not in chunks against the limit; false when that is reached. */
    public boolean reserve(long bytes) {
        if (bytesUsed.addAndGet(bytes) > bytesMax) {
            bytesUsed.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    /** Gives back what was reserved. */
    public void release(long bytes) {
        bytesUsed.addAndGet(-bytes);
    }

    /** Counts one more group; false when the limit is reached. */
    boolean addGroup() {
        boolean isRoom = groups < groupsMax;
        groups += isRoom ? 1 : 0;
        return isRoom;
    }

    /** Counts groups that are gone. */
    void removeGroups(int count) {
        groups -= count;
    }

    /** The limit of bytes, for the log: its key and value. */
    public String bytesLimit() {
        return "processor.max_bytes = " + bytesMax;
    }

    /** The limit of groups, for the log: its key and value. */
    String groupsLimit() {
        return "processor.max_groups = " + groupsMax;
    }

    /** Bytes in use. Any thread. */
    public long bytesUsed() {
        return bytesUsed.get();
    }

    /** Bytes of all chunks there are, in use or not. The owner's thread. */
    long bytesMade() {
        return bytesMade;
    }

    /** Frees the chunks that were given back. */
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

    private UnsafeBuffer pollShared() {
        return freeOfAll == null ? null : freeOfAll.poll();
    }
}
