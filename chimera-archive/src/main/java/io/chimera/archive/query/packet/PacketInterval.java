package io.chimera.archive.query.packet;

import io.chimera.api.HotPath;
import io.chimera.archive.query.interval.IntervalHeader;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.nio.ByteOrder;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Consecutive packets in one record of a data stream, covered by one signature of the index (Hyperion, section 5).
 * Little-endian:
 *
 * <pre>
 *   0            4     6     8        12       16              24              32
 *   +------------+-----+-----+--------+--------+---------------+---------------+
 *   | magic CPI1 | ver | link| packets| bytes  | first time ns | last time ns  |    bytes: of the whole record
 *   +------------+-----+-----+--------+--------+---------------+---------------+    first, last: least, greatest time
 *
 *   0                        8        12       16                                 each packet, in order of arrival
 *   +------------------------+--------+--------+----------------+---- - - -+
 *   | time ns since 1970     |captured| length | the frame      | 0 to 7 B |       length: on the wire
 *   +------------------------+--------+--------+----------------+---- - - -+
 * </pre>
 *
 * <p>A VLAN tag removed by the kernel is inserted into the frame again, so the frame equals the bytes on the wire.
 *
 * <p>This class is a flyweight and a cursor over foreign memory; {@link PacketIntervalWriter} writes the layout. One
 * thread. Records from the store have passed its checks; remaining inconsistencies cause an error with the place, and
 * nothing outside the record is read.
 */
public final class PacketInterval {
    static final int MAGIC = 0x31495043;

    static final IntervalHeader HEADER = new IntervalHeader(MAGIC, 1, "packets");

    /** Length of the interval header in bytes. */
    public static final int HEADER_BYTES = IntervalHeader.BYTES;

    static final int TIME_NS_AT = 0;
    static final int CAPTURED_AT = 8;
    static final int LENGTH_AT = 12;

    /** Length of the header of each packet in bytes. */
    public static final int PACKET_HEADER_BYTES = 16;

    static final int PACKET_ALIGNMENT = 8;

    private DirectBuffer buffer = new UnsafeBuffer(0, 0);
    private int begin;
    private int end;
    private int linkType;
    private int packets;
    private long firstNs;
    private long lastNs;

    private int next;

    private int seen;
    private int at;
    private long timeNs;
    private int captured;
    private int length;

    /** Creates an unwrapped flyweight. */
    public PacketInterval() {}

    /** Returns the bytes of a frame in an interval, with header and padding. */
    @HotPath
    static int bytesOf(int frameBytes) {
        return PACKET_HEADER_BYTES + BitUtil.align(frameBytes, PACKET_ALIGNMENT);
    }

    /**
     * Wraps a record, with the cursor before its first packet.
     *
     * @param from must stay valid during the use of this flyweight
     * @param recordBytes length of the record
     * @return this flyweight
     * @throws ChimeraException when the record is not an interval of packets
     */
    public PacketInterval wrap(DirectBuffer from, int recordOffset, int recordBytes) {
        HEADER.check(from, recordOffset, recordBytes);
        buffer = from;
        begin = recordOffset;
        end = recordOffset + recordBytes;
        linkType = IntervalHeader.word(from, recordOffset);
        packets = IntervalHeader.items(from, recordOffset);
        firstNs = IntervalHeader.firstNs(from, recordOffset);
        lastNs = IntervalHeader.lastNs(from, recordOffset);
        rewind();
        return this;
    }

    /** Moves the cursor before the first packet. */
    public void rewind() {
        next = begin + HEADER_BYTES;
        seen = 0;
    }

    /**
     * Advances to the next packet.
     *
     * @return false at the end
     * @throws ChimeraException when the packet exceeds the record
     */
    @HotPath
    public boolean next() {
        if (seen == packets) {
            return false;
        }
        if (end - next < PACKET_HEADER_BYTES) {
            throw cutOff();
        }
        at = next + PACKET_HEADER_BYTES;
        timeNs = buffer.getLong(next + TIME_NS_AT, ByteOrder.LITTLE_ENDIAN);
        captured = buffer.getInt(next + CAPTURED_AT, ByteOrder.LITTLE_ENDIAN);
        length = buffer.getInt(next + LENGTH_AT, ByteOrder.LITTLE_ENDIAN);
        if (captured < 0 || captured > end - at) {
            throw cutOff();
        }
        next += bytesOf(captured);
        seen++;
        return true;
    }

    /** Returns the link type of the frames, numbered as in capture files. */
    @HotPath
    public int linkType() {
        return linkType;
    }

    /** Returns the number of packets. */
    @HotPath
    public int packets() {
        return packets;
    }

    /** Returns the least time of a packet, ns since 1970. */
    @HotPath
    public long firstNs() {
        return firstNs;
    }

    /** Returns the greatest time of a packet, ns since 1970. */
    @HotPath
    public long lastNs() {
        return lastNs;
    }

    /** Returns the time of the packet, ns since 1970. */
    @HotPath
    public long timeNs() {
        return timeNs;
    }

    /** Returns the captured length of the frame. */
    @HotPath
    public int captured() {
        return captured;
    }

    /** Returns the length of the frame on the wire; u32. */
    @HotPath
    public int length() {
        return length;
    }

    /** Returns the buffer with the frame. */
    @HotPath
    public DirectBuffer buffer() {
        return buffer;
    }

    /** Returns the offset of the frame in the buffer. */
    @HotPath
    public int offset() {
        return at;
    }

    /** Returns the memory address of the frame; only for off-heap records. */
    @HotPath
    long address() {
        return buffer.addressOffset() + at;
    }

    private ChimeraException cutOff() {
        return new ChimeraException(
                Category.ERROR,
                "Packet " + (seen + 1) + " of " + packets + " exceeds its record of " + (end - begin) + " bytes.");
    }
}
