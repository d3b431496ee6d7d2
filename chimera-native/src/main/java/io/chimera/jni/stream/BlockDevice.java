package io.chimera.jni.stream;

/**
 * A device, partition or preallocated file of a fixed size that is written in whole sectors past the page cache, several
 * writes in flight at once. {@link #write}, {@link #flush} and {@link #poll} belong to one thread; {@link #read} may be
 * called by any. Offsets, lengths and addresses are multiples of {@link #alignment}.
 *
 * <p>A write that is complete is not yet durable: it survives a loss of power when a flush that was submitted after its
 * completion has completed. What was in flight may be there whole, in part, sector by sector, or not at all. A failed
 * flush says nothing about what was written before it, and the device must not be trusted with more
 * (fsync errors are told once).
 */
public interface BlockDevice extends AutoCloseable {
    /** Result of a completion that is below 0: -errno. */
    int EIO = -5;

    /** Bytes, a multiple of {@link #alignment}; fixed when it was opened. */
    long size();

    /**
     * Of offsets, lengths and addresses in bytes: a power of two, 4096 at least and 65536 at most. What is not written stays as it
     * is in other sectors of that size, also when power is lost.
     */
    int alignment();

    /** Writes and flushes that may be in flight. */
    int depth();

    /**
     * Says before the first write from where most writes will come, once: a native device tells the kernel, which saves it some
     * work with each. Writes from elsewhere are as good. The memory stays where it is until the device is closed.
     */
    default void register(long address, long length) {}

    /**
     * Starts a write. The memory belongs to the device until its completion.
     *
     * @param address of memory that is not moved
     * @param token returned with the completion
     * @return false when {@link #depth} operations are in flight: poll first
     */
    boolean write(long offset, long address, int length, long token);

    /** Starts a flush of everything whose completion was polled before. Returns false as {@link #write} does. */
    boolean flush(long token);

    /**
     * Takes completions, in any order.
     *
     * @param timeoutMs how long to wait for the first; 0: do not wait
     * @return how many; 0 when none came in time
     */
    int poll(Completions into, int timeoutMs);

    /**
     * Reads, blocking.
     *
     * @return bytes read, fewer than asked for at the end of a device that shrank; or -errno
     */
    int read(long offset, long address, int length);

    /** Waits for what is in flight. Without a flush. */
    @Override
    void close();

    /** Where completions are put. */
    interface Completions {
        /**
         * One operation ended.
         *
         * @param token what it was submitted with
         * @param result bytes written (fewer than asked for: the write failed in part), 0 for a flush, or -errno
         */
        void onCompletion(long token, int result);
    }
}
