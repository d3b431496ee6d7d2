package io.chimera.archive.streamfs;

import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Streams of records (Hyperion 2007, 4): appended, never changed, and overwritten oldest first when the space is needed,
 * but for what the stream is guaranteed. {@link #open}, {@link #append}, {@link #doWork} and {@link #sync} belong to one
 * thread, the writer's.
 */
public interface StreamStore extends AutoCloseable {
    /**
     * Opens a stream by its name, or creates it. The directory is written and flushed before this returns.
     *
     * @return its number, the same for ever
     * @throws io.chimera.common.error.ChimeraException the guarantees together do not fit, the name is that of a stream
     *     of another kind, or the volume is out of order
     */
    int open(StreamSettings settings);

    /**
     * Appends a record, by copying it.
     *
     * @param timeNs the greatest time of what is in the record: it reaches up to this one. Times may come in any order
     * @param length at least 1, at most {@link #recordLengthMax}
     * @return null when there is no room now: call {@link #doWork} and try again
     * @throws io.chimera.common.error.ChimeraException the volume is out of order; says what is durable
     */
    RecordHandle append(int stream, long timeNs, DirectBuffer from, int offset, int length);

    /** Bytes that a record may have. */
    int recordLengthMax();

    /**
     * Starts writes and flushes, and takes their completions. Does not wait.
     *
     * @return 0 when there was nothing to do
     * @throws io.chimera.common.error.ChimeraException a device failed: nothing more is taken. Says what is durable
     */
    int doWork();

    /**
     * Asks that everything appended so far is written and flushed soon, also blocks that are not full. Does not wait. May be asked for
     * as often as one likes: while one is under way, all that is asked for becomes the next.
     */
    void sync();

    /** Number of the last record of a stream that was appended, 1, 2, 3 ... since it was created. Any thread. */
    long appended(int stream);

    /** Number of the last record of a stream that survives a loss of power, with all before it. Any thread. */
    long durable(int stream);

    /** Number of the oldest record of a stream that is held; the next number when none is. Any thread. */
    long oldest(int stream);

    /** A reader for one thread. Any thread may ask for it. */
    StreamReader reader();

    /** The streams by number. Any thread. */
    List<StreamStatus> streams();

    /** How the volume is. Any thread. */
    VolumeStatus status();

    /** Makes durable what was appended, and closes the devices. Writer's thread; readers must not be used any more. */
    @Override
    void close();
}
