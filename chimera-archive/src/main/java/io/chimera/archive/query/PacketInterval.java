package io.chimera.archive.query;

import io.chimera.api.HotPath;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.nio.ByteOrder;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;

/**
 * Consecutive packets in one record of a data stream: what one signature of the index stands for (Hyperion, section 5). Little-endian:
 *
 * <pre>
 *   0            4     6     8        12       16              24              32
 *   +------------+-----+-----+--------+--------+---------------+---------------+
 *   | magic CPI1 | ver | link| packets| bytes  | first time ns | last time ns  |    bytes: of the whole record
 *   +------------+-----+-----+--------+--------+---------------+---------------+    first, last: least and greatest time
 *
 *   0                        8        12       16                                 then each packet, in the order of arrival
 *   +------------------------+--------+--------+----------------+---- - - -+
 *   | time ns since 1970     |captured| length | the frame      | 0 to 7 B |       length: on the wire
 *   +------------------------+--------+--------+----------------+---- - - -+
 * </pre>
 *
 * A VLAN tag that the kernel took off a frame stands in it again, so that a frame is what was on the wire.
 *
 * <p>This is a flyweight and a cursor over memory that it does not own, {@link PacketIntervalWriter} writes it. One thread. What the
 * store hands out has passed its checks; what is wrong all the same is an error that names the place, and nothing outside of the
 * record is read.
 */
public final class PacketInterval {
    /** The letters CPI1. */
    static final int MAGIC = 0x31495043;

    static final IntervalHeader HEADER = new IntervalHeader(MAGIC, 1, "packets");

    /** Bytes ahead of the first packet. */
    public static final int HEADER_BYTES = IntervalHeader.BYTES;

    static final int TIME_NS_AT = 0;
    static final int CAPTURED_AT = 8;
    static final int LENGTH_AT = 12;

    /** Bytes ahead of each frame. */
    public static final int PACKET_HEADER_BYTES = 16;

    static final int PACKET_ALIGNMENT = 8;

    private DirectBuffer buffer;
    private int begin;
    private int end;
    private int linkType;
    private int packets;
    private long firstNs;
    private long lastNs;

    /** Where the next packet begins. */
    private int next;

    private int seen;
    private int at;
    private long timeNs;
    private int captured;
    private int length;

    /** A flyweight over nothing yet. */
    public PacketInterval() {}

    /** Bytes that a frame of so many bytes takes in an interval. */
    @HotPath
    static int bytesOf(int frameBytes) {
        return PACKET_HEADER_BYTES + BitUtil.align(frameBytes, PACKET_ALIGNMENT);
    }

    /**
     * Lays this flyweight over a record, ahead of its first packet.
     *
     * @param from valid as long as this is used
     * @param recordBytes of the record
     * @return this
     * @throws ChimeraException when the record is no interval of packets
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

    /** Goes back ahead of the first packet. */
    public void rewind() {
        next = begin + HEADER_BYTES;
        seen = 0;
    }

    /**
     * Goes to the next packet.
     *
     * @return false when there is none
     * @throws ChimeraException when it does not lie within the record
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

    /** What frames begin with, as capture files number it. */
    @HotPath
    public int linkType() {
        return linkType;
    }

    /** How many packets there are. */
    @HotPath
    public int packets() {
        return packets;
    }

    /** The least time of a packet, ns since 1970. */
    @HotPath
    public long firstNs() {
        return firstNs;
    }

    /** The greatest time of a packet, ns since 1970. */
    @HotPath
    public long lastNs() {
        return lastNs;
    }

    /** When the packet came, ns since 1970. */
    @HotPath
    public long timeNs() {
        return timeNs;
    }

    /** Bytes of its frame. */
    @HotPath
    public int captured() {
        return captured;
    }

    /** Bytes of it on the wire; u32. */
    @HotPath
    public int length() {
        return length;
    }

    /** What the frame lies in. */
    @HotPath
    public DirectBuffer buffer() {
        return buffer;
    }

    /** Where the frame begins in the buffer. */
    @HotPath
    public int offset() {
        return at;
    }

    /** Where the frame begins in memory; only of records outside the heap. */
    @HotPath
    long address() {
        return buffer.addressOffset() + at;
    }

    private ChimeraException cutOff() {
        return new ChimeraException(
                Category.ERROR,
                "Packet " + (seen + 1) + " of " + packets + " does not lie within its record of " + (end - begin)
                        + " bytes.");
    }
}
