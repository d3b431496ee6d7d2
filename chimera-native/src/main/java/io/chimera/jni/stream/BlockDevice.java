package io.chimera.jni.stream;

/**
 * Device, partition or preallocated file of a fixed size, written in whole sectors past the page cache, with several
 * writes in flight. {@link #write}, {@link #flush} and {@link #poll} belong to one thread; any thread may call {@link
 * #read}. Offsets, lengths and addresses are multiples of {@link #alignment}.
 *
 * <p>A completed write is not yet durable: only a flush submitted after the write's completion makes the write survive
 * a power loss. After a power loss, a write in flight may be present completely, in part (sector by sector), or not at
 * all. A failed flush leaves the state of all earlier writes unknown, and the device must not be used any further,
 * because the kernel reports fsync errors only once.
 */
public interface BlockDevice extends AutoCloseable {
    /** Negative result of a completion: -errno. */
    int EIO = -5;

    /** Returns the size in bytes, a multiple of {@link #alignment}, fixed at opening. */
    long size();

    /**
     * Returns the alignment of offsets, lengths and addresses in bytes: a power of two from 4096 to 65536. A write
     * never changes other sectors of this size, even during a power loss.
     */
    int alignment();

    /** Returns the maximum number of writes and flushes in flight. */
    int depth();

    /**
     * Registers the source memory of most writes, once, before the first write: a native device passes the range to the
     * kernel, which reduces the cost of each write. Writes from other memory remain possible. The memory must stay in
     * place until the device is closed.
     */
    default void register(long address, long length) {}

    /**
     * Starts a write. The memory belongs to the device until completion.
     *
     * @param address address of memory with a fixed location
     * @param token returned with the completion
     * @return false when {@link #depth} operations are in flight: poll first
     */
    boolean write(long offset, long address, int length, long token);

    /**
     * Starts a flush of every write with an already polled completion. Returns false under the same condition as {@link
     * #write}.
     */
    boolean flush(long token);

    /**
     * Receives completions, in any order.
     *
     * @param timeoutMs maximum wait for the first completion; 0: do not wait
     * @return number of completions; 0 after the timeout
     */
    int poll(Completions into, int timeoutMs);

    /**
     * Reads, blocking.
     *
     * @return bytes read, fewer than requested at the end of a shrunken device; or -errno
     */
    int read(long offset, long address, int length);

    /** Waits for operations in flight and closes the device, without a flush. */
    @Override
    void close();

    /** Receiver of completions. */
    interface Completions {
        /**
         * Handles the end of one operation.
         *
         * @param token token of the submission
         * @param result bytes written (fewer than requested: the write failed in part), 0 for a flush, or -errno
         */
        void onCompletion(long token, int result);
    }
}
