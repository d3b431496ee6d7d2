package io.chimera.flow.ipfix.exporter;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.flow.ipfix.WireFormat;
import java.nio.ByteBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes sets into an IPFIX message (RFC 7011, 3.1 and 3.3). Used by one thread.
 *
 * <pre>
 *   0        2        4               8          12                 16       18       20
 *   +--------+--------+---------------+----------+------------------+--------+--------+------------+-- --
 *   | 10     | length | export time,s | sequence | observation dom. | set id | length | records    | next set
 *   +--------+--------+---------------+----------+------------------+--------+--------+------------+-- --
 * </pre>
 */
final class MessageWriter {
    /** Returned when the message has no room. */
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
     * Creates an empty message.
     *
     * @param lengthMax maximum bytes of a message
     * @param domain observation domain of all messages
     */
    MessageWriter(int lengthMax, long domain) {
        bytes = ByteBuffer.allocateDirect(lengthMax);
        buffer = new UnsafeBuffer(bytes);
        this.domain = domain;
        clear();
    }

    /** Starts another message. */
    @HotPath
    void clear() {
        position = HEADER_LENGTH;
        set = NO_SET;
        records = 0;
    }

    boolean isEmpty() {
        return position == HEADER_LENGTH;
    }

    /** Number of data records, including options records. */
    int records() {
        return records;
    }

    /** Free bytes. */
    int room() {
        return buffer.capacity() - position;
    }

    MutableDirectBuffer buffer() {
        return buffer;
    }

    /**
     * Reserves room in the current set, or begins a new set with another number.
     *
     * @param id number of the set
     * @param length bytes to reserve
     * @param dataRecords number of data records in these bytes: 1, or 0 for a template
     * @return first reserved byte, or {@link #FULL}
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
     * Completes the header. May be called again with other values.
     *
     * @param exportSeconds send time of the message, seconds since 1970
     * @param sequence data records sent in this session before this message
     * @return the message; valid until {@link #clear}
     */
    ByteBuffer seal(long exportSeconds, long sequence) {
        endSet();
        buffer.putShort(0, (short) WireFormat.IPFIX, BIG_ENDIAN);
        buffer.putShort(LENGTH, (short) position, BIG_ENDIAN);
        buffer.putInt(EXPORT_TIME, (int) exportSeconds, BIG_ENDIAN);
        buffer.putInt(SEQUENCE, (int) sequence, BIG_ENDIAN);
        buffer.putInt(DOMAIN, (int) domain, BIG_ENDIAN);
        return bytes.limit(position).position(0);
    }
}
