package io.chimera.archive.query.packet;

import io.chimera.api.HotPath;
import io.chimera.archive.query.ArchiveSettings;
import io.chimera.jni.capture.CaptureOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Fills one interval after another with packets, in its own off-heap memory, with the layout of {@link PacketInterval}.
 * Single-threaded; no allocation after construction.
 */
public final class PacketIntervalWriter {
    private static final int TAG_POSITION = 12;
    private static final int TAG_BYTES = 4;

    /** Greatest length of a packet, including a reinserted tag. */
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
     * Creates an empty writer.
     *
     * @param intervalBytes maximum length of an interval; a longer packet gets an interval of its own
     */
    public PacketIntervalWriter(int intervalBytes) {
        this.intervalBytes = intervalBytes;
        bytesMax = Math.max(intervalBytes, PacketInterval.HEADER_BYTES + PACKET_BYTES_MAX);
        int capacity =
                // also fits records with other settings, see hold
                Math.max(bytesMax, ArchiveSettings.INTERVAL_BYTES_MAX);
        memory = BufferUtil.allocateDirectAligned(capacity, BitUtil.CACHE_LINE_LENGTH);
        buffer = new UnsafeBuffer(memory);
        clear();
    }

    /** Returns the maximum length of a record: a full interval, or the longest packet. */
    int bytesMax() {
        return bytesMax;
    }

    /** Starts an empty interval. */
    @HotPath
    public void clear() {
        used = PacketInterval.HEADER_BYTES;
        packets = 0;
        firstNs = Long.MAX_VALUE;
        lastNs = Long.MIN_VALUE;
    }

    /**
     * Adds a packet.
     *
     * @param frameLinkType link type of the frame; equal for all frames of an interval
     * @param frameCaptured bytes at the address, at most {@link CaptureOptions#SNAP_LENGTH_MAX}
     * @param length length on the wire
     * @param tci with tpid: VLAN tag removed by the kernel, reinserted after the addresses; tpid 0: no tag
     * @return false if the packet belongs to the next interval
     */
    @HotPath
    public boolean add(int frameLinkType, long timeNs, long address, int frameCaptured, int length, int tci, int tpid) {
        frame.wrap(address, frameCaptured);
        return add(frameLinkType, timeNs, frame, 0, frameCaptured, length, tci, tpid);
    }

    /** Adds a packet from a buffer. */
    @HotPath
    public boolean add(
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

    /** Clears the padding, so no bytes of an earlier record reach the disk. */
    @HotPath
    private void pad(int from, int to) {
        for (int i = from; i < to; i++) {
            buffer.putByte(i, (byte) 0);
        }
    }

    /** Returns the address of the last added frame. */
    @HotPath
    long address() {
        return buffer.addressOffset() + at;
    }

    /** Returns the length of the last added frame. */
    @HotPath
    int captured() {
        return captured;
    }

    /** Returns the number of packets in the interval. */
    @HotPath
    public int packets() {
        return packets;
    }

    /** Returns the link type of the interval's frames. */
    @HotPath
    int linkType() {
        return linkType;
    }

    /** Returns the least time of a packet, ns since 1970. */
    @HotPath
    long firstNs() {
        return firstNs;
    }

    /** Returns the greatest time of a packet, ns since 1970. */
    @HotPath
    long lastNs() {
        return lastNs;
    }

    /** Returns the memory of the record, from index 0. */
    @HotPath
    public DirectBuffer buffer() {
        return buffer;
    }

    /**
     * Copies a record with any settings into this memory, which must be empty: key extraction needs off-heap frames.
     */
    DirectBuffer hold(DirectBuffer record) {
        buffer.putBytes(0, record, 0, record.capacity());
        return buffer;
    }

    /**
     * Writes the header; more packets may be added afterwards.
     *
     * @return length of the record in bytes
     */
    @HotPath
    public int finish() {
        PacketInterval.HEADER.write(buffer, linkType, packets, used, firstNs, lastNs);
        return used;
    }
}
