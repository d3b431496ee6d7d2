package io.chimera.archive.query;

import io.chimera.api.HotPath;
import io.chimera.jni.capture.CaptureOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Fills one interval after the other with packets, in memory of its own outside the heap ({@link PacketInterval} draws it). One
 * thread; nothing is allocated after it was made.
 */
final class PacketIntervalWriter {
    private static final int TAG_POSITION = 12;
    private static final int TAG_BYTES = 4;

    /** The longest packet, with a tag put back. */
    private static final int PACKET_BYTES_MAX = PacketInterval.bytesOf(CaptureOptions.SNAP_LENGTH_MAX + TAG_BYTES);

    private final int intervalBytes;
    private final int bytesMax;
    private final ByteBuffer memory;
    private final UnsafeBuffer buffer;
    private final UnsafeBuffer frame = new UnsafeBuffer(0, 0);
    private int linkType;
    private int used;
    private int packets;
    private long firstNs;
    private long lastNs;
    private int at;
    private int captured;

    /**
     * A writer without packets.
     *
     * @param intervalBytes that an interval is to have at most; a packet that is longer has an interval for itself
     */
    PacketIntervalWriter(int intervalBytes) {
        this.intervalBytes = intervalBytes;
        bytesMax = Math.max(intervalBytes, PacketInterval.HEADER_BYTES + PACKET_BYTES_MAX);
        int capacity =
                Math.max(bytesMax, ArchiveSettings.INTERVAL_BYTES_MAX); // for records of other settings, see hold
        memory = BufferUtil.allocateDirectAligned(capacity, BitUtil.CACHE_LINE_LENGTH);
        buffer = new UnsafeBuffer(memory);
        clear();
    }

    /** Bytes that a record of this writer may have: a full one, or one with the longest packet. */
    int bytesMax() {
        return bytesMax;
    }

    /** Begins anew, without packets. */
    @HotPath
    void clear() {
        used = PacketInterval.HEADER_BYTES;
        packets = 0;
        firstNs = Long.MAX_VALUE;
        lastNs = Long.MIN_VALUE;
    }

    /**
     * Adds a packet.
     *
     * @param frameLinkType what its frame begins with; all of an interval begin with the same
     * @param frameCaptured bytes at the address, at most {@link CaptureOptions#SNAP_LENGTH_MAX}
     * @param length bytes on the wire
     * @param tci and tpid of a VLAN tag that was taken off, and is put back behind the addresses; tpid 0: there was none
     * @return false when it belongs into the next interval
     */
    @HotPath
    boolean add(int frameLinkType, long timeNs, long address, int frameCaptured, int length, int tci, int tpid) {
        frame.wrap(address, frameCaptured);
        return add(frameLinkType, timeNs, frame, 0, frameCaptured, length, tci, tpid);
    }

    /** The same with a frame in a buffer. */
    @HotPath
    boolean add(
            int frameLinkType,
            long timeNs,
            DirectBuffer from,
            int offset,
            int frameCaptured,
            int length,
            int tci,
            int tpid) {
        int tagBytes = tpid != 0 && frameCaptured >= TAG_POSITION ? TAG_BYTES : 0;
        int bytes = PacketInterval.bytesOf(frameCaptured + tagBytes);
        if (packets > 0 && (frameLinkType != linkType || bytes > intervalBytes - used)) {
            return false;
        }
        linkType = frameLinkType;
        captured = frameCaptured + tagBytes;
        buffer.putLong(used + PacketInterval.TIME_NS_AT, timeNs, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(used + PacketInterval.CAPTURED_AT, captured, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(used + PacketInterval.LENGTH_AT, length + tagBytes, ByteOrder.LITTLE_ENDIAN);
        at = used + PacketInterval.PACKET_HEADER_BYTES;
        int ahead = tagBytes == 0 ? 0 : TAG_POSITION;
        buffer.putBytes(at, from, offset, ahead);
        if (tagBytes > 0) {
            buffer.putShort(at + TAG_POSITION, (short) tpid, ByteOrder.BIG_ENDIAN);
            buffer.putShort(at + TAG_POSITION + 2, (short) tci, ByteOrder.BIG_ENDIAN);
        }
        buffer.putBytes(at + ahead + tagBytes, from, offset + ahead, frameCaptured - ahead);
        pad(at + captured, used + bytes);
        used += bytes;
        packets++;
        firstNs = Math.min(firstNs, timeNs);
        lastNs = Math.max(lastNs, timeNs);
        return true;
    }

    /** What a record before left there does not go to the disk. */
    @HotPath
    private void pad(int from, int to) {
        for (int i = from; i < to; i++) {
            buffer.putByte(i, (byte) 0);
        }
    }

    /** Where the frame lies that was added last. */
    @HotPath
    long address() {
        return buffer.addressOffset() + at;
    }

    /** Bytes of the frame that was added last. */
    @HotPath
    int captured() {
        return captured;
    }

    /** Packets in the interval. */
    @HotPath
    int packets() {
        return packets;
    }

    /** What the frames of the interval begin with. */
    @HotPath
    int linkType() {
        return linkType;
    }

    /** The least time of a packet, ns since 1970. */
    @HotPath
    long firstNs() {
        return firstNs;
    }

    /** The greatest time of a packet, ns since 1970. */
    @HotPath
    long lastNs() {
        return lastNs;
    }

    /** Where the record lies, from 0 on. */
    @HotPath
    DirectBuffer buffer() {
        return buffer;
    }

    /**
     * Copies a record of any settings into this memory, which holds no packets then; keys are made of frames outside the heap.
     */
    DirectBuffer hold(DirectBuffer record) {
        buffer.putBytes(0, record, 0, record.capacity());
        return buffer;
    }

    /**
     * Writes the header; packets may still be added.
     *
     * @return bytes of the record
     */
    @HotPath
    int finish() {
        PacketInterval.HEADER.write(buffer, linkType, packets, used, firstNs, lastNs);
        return used;
    }
}
