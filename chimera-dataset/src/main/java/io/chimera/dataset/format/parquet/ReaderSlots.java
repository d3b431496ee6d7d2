package io.chimera.dataset.format.parquet;

import java.io.InterruptedIOException;
import java.util.concurrent.Semaphore;

/**
 * Bounds the number of readers at the same time, and so their memory together. The limit of a single reader stays the
 * same with any number of workers: whether a page is too large is a property of the object. Any thread.
 */
public final class ReaderSlots {
    private final Semaphore free;

    private ReaderSlots(int readers) {
        free = new Semaphore(readers);
    }

    /** Returns slots for any number of readers. */
    static ReaderSlots unlimited() {
        return new ReaderSlots(Integer.MAX_VALUE);
    }

    /**
     * Returns slots for readers with {@link ParquetFormat#MEMORY_BYTES_DEFAULT} each; one reader always has a slot.
     *
     * @param memoryBytes limit of the memory of all readers in bytes
     */
    public static ReaderSlots within(long memoryBytes) {
        return new ReaderSlots(
                (int) Math.max(1, Math.min(Integer.MAX_VALUE, memoryBytes / ParquetFormat.MEMORY_BYTES_DEFAULT)));
    }

    /**
     * Takes a slot; waits while all slots are taken.
     *
     * @throws InterruptedIOException when the thread is interrupted
     */
    void take() throws InterruptedIOException {
        try {
            free.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while other readers had all memory");
        }
    }

    /** Gives a slot back. */
    void giveBack() {
        free.release();
    }

    /** Returns the number of slots that are not taken. */
    int free() {
        return free.availablePermits();
    }
}
