package io.chimera.queue.ipfix;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.chimera.api.HotPath;
import java.nio.ByteBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Puts sets into a message (RFC 7011, 3.1 and 3.3). One thread.
 *
 * <pre>
 *   0        2        4               8          12                 16       18       20
 *   +--------+--------+---------------+----------+------------------+--------+--------+------------+-- --
 *   | 10     | length | export time,s | sequence | observation dom. | set id | length | records    | next set
 *   +--------+--------+---------------+----------+------------------+--------+--------+------------+-- --
 * </pre>
 */
final class MessageWriter {
    /** There is no room for it in this message. */
    static final int FULL = -1;

    private static final int LENGTH = 2;
    private static final int EXPORT_TIME = 4;
    private static final int SEQUENCE = 8;
    private static final int DOMAIN = 12;
    private static final int HEADER_LENGTH = 16;
    private static final int SET_LENGTH = 2;
    private static final int SET_HEADER_LENGTH = 4;
    private static final int NO_SET = -1;

    private final ByteBuffer bytes;
    private final UnsafeBuffer buffer;
    private final long domain;
    private int position;
    private int set;
    private int setStart;
    private int records;

    /**
     * An empty message.
     *
     * @param lengthMax bytes of a message, at most
     * @param domain observation domain of all messages
     */
    MessageWriter(int lengthMax, long domain) {
        bytes = ByteBuffer.allocateDirect(lengthMax);
        buffer = new UnsafeBuffer(bytes);
        this.domain = domain;
        clear();
    }

    /** Begins another message. */
    @HotPath
    void clear() {
        position = HEADER_LENGTH;
        set = NO_SET;
        records = 0;
    }

    /** Whether nothing is in it. */
    boolean isEmpty() {
        return position == HEADER_LENGTH;
    }

    /** Data records in it, those of options among them. */
    int records() {
        return records;
    }

    /** Bytes that are left. */
    int room() {
        return buffer.capacity() - position;
    }

    MutableDirectBuffer buffer() {
        return buffer;
    }

    /**
     * Makes room, in a set that was begun or in another one.
     *
     * @param id number of the set
     * @param length bytes
     * @param dataRecords how many data records these bytes are: 1, or 0 for a template
     * @return where they go, or {@link #FULL}
     */
    @HotPath
    int claim(int id, int length, int dataRecords) {
        int needed = set == id ? length : SET_HEADER_LENGTH + length;
        if (needed > buffer.capacity() - position) {
            return FULL;
        }
        if (set != id) {
            endSet();
            set = id;
            setStart = position;
            buffer.putShort(position, (short) id, BIG_ENDIAN);
            position += SET_HEADER_LENGTH;
        }
        int at = position;
        position += length;
        records += dataRecords;
        return at;
    }

    private void endSet() {
        if (set != NO_SET) {
            buffer.putShort(setStart + SET_LENGTH, (short) (position - setStart), BIG_ENDIAN);
        }
    }

    /**
     * Completes the header. May be called again, with other values.
     *
     * @param exportSeconds time at which the message leaves, seconds since 1970
     * @param sequence data records that were sent in this session before this message
     * @return the message; valid until {@link #clear}
     */
    ByteBuffer seal(long exportSeconds, long sequence) {
        endSet();
        buffer.putShort(0, (short) FlowMessages.IPFIX, BIG_ENDIAN);
        buffer.putShort(LENGTH, (short) position, BIG_ENDIAN);
        buffer.putInt(EXPORT_TIME, (int) exportSeconds, BIG_ENDIAN);
        buffer.putInt(SEQUENCE, (int) sequence, BIG_ENDIAN);
        buffer.putInt(DOMAIN, (int) domain, BIG_ENDIAN);
        return bytes.limit(position).position(0);
    }
}
