package io.chimera.archive.streamfs.store;

import java.util.List;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Store of record streams (Hyperion 2007, 4). Records are appended and never changed; the oldest records are
 * overwritten when space is needed, except within the guarantee of their stream. {@link #open}, {@link #append}, {@link
 * #doWork} and {@link #sync} belong to one thread, the writer's.
 */
public interface StreamStore extends AutoCloseable {
    /**
     * Opens or creates a stream by name. The directory is written and flushed before the method returns.
     *
     * @return index of the stream, constant until the stream is removed
     * @throws io.chimera.common.error.ChimeraException the sum of the guarantees does not fit, the stream has another
     *     kind, or the volume has failed
     */
    int open(StreamSettings settings);

    /**
     * Appends a copy of a record.
     *
     * @param timeNs greatest time in the record. Times may come in any order
     * @param length at least 1, at most {@link #recordLengthMax}
     * @return null when no buffer is free: call {@link #doWork} and retry
     * @throws io.chimera.common.error.ChimeraException the volume has failed; the message names the durable records
     */
    @Nullable
    RecordHandle append(int stream, long timeNs, DirectBuffer from, int offset, int length);

    /** Returns the maximum length of a record in bytes. */
    int recordLengthMax();

    /**
     * Starts writes and flushes, and processes completions. Does not wait.
     *
     * @return 0 if there was no work
     * @throws io.chimera.common.error.ChimeraException a device failed and the store stops; the message names the
     *     durable records
     */
    int doWork();

    /**
     * Requests a write and flush of everything appended so far, including partly filled blocks. Does not wait. Callers
     * may request a sync at any rate: all requests during a sync are merged into the next sync.
     */
    void sync();

    /** Returns the number of the last appended record of a stream: 1, 2, 3 ... since its creation. Any thread. */
    long appended(int stream);

    /**
     * Returns the number of the last durable record of a stream: this record and all before survive a loss of power.
     * Any thread.
     */
    long durable(int stream);

    /**
     * Returns the number of the oldest held record of a stream, or the next number if no record is held. Any thread.
     */
    long oldest(int stream);

    /** Returns a new reader for one thread. Any thread may call this method. */
    StreamReader reader();

    /** Returns the streams by index. Any thread. */
    List<StreamStatus> streams();

    /** Returns the status of the volume. Any thread. */
    VolumeStatus status();

    /** Makes all appended records durable and closes the devices. Writer's thread; readers must no longer be in use. */
    @Override
    void close();
}
