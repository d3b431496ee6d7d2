package io.chimera.jni.capture;

import io.chimera.api.HotPath;
import java.nio.ByteBuffer;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Locations of the packets of one call of {@link PacketCapture#receive}. The packet bytes belong to the capture; the
 * batch holds 32-byte descriptors, off-heap and in native byte order ({@code chimera_capture.h} has the same layout):
 *
 * <pre>
 *   0 address        u64   first byte of the frame
 *   8 timestamp_ns   i64   since the epoch
 *  16 captured       u32   bytes at the address
 *  20 length         u32   bytes on the wire
 *  24 slot           u32   for the capture's own use
 *  28 vlan_tci       u16   VLAN tag removed from the frame by the kernel
 *  30 vlan_tpid      u16   type of the VLAN tag; 0: no tag removed
 * </pre>
 *
 * <p>Used by the thread of the capture.
 */
public final class PacketBatch {

    /** Default capacity: 8 KiB of descriptors, at a JNI cost of 0.1 ns per packet. */
    public static final int DEFAULT_CAPACITY = 256;

    private static final int BYTES = 32;
    private static final int ADDRESS = 0;
    private static final int TIMESTAMP_NS = 8;
    private static final int CAPTURED = 16;
    private static final int LENGTH = 20;
    private static final int SLOT = 24;
    private static final int VLAN_TCI = 28;
    private static final int VLAN_TPID = 30;

    private final int capacity;
    private final ByteBuffer memory;
    private final UnsafeBuffer packets;
    private int size;

    /** Creates an empty batch for at most {@code capacity} packets. */
    public PacketBatch(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("The capacity of a batch must be at least 1, not " + capacity + ".");
        }
        this.capacity = capacity;
        memory = BufferUtil.allocateDirectAligned(Math.multiplyExact(capacity, BYTES), BitUtil.CACHE_LINE_LENGTH);
        packets = new UnsafeBuffer(memory);
    }

    /** Returns the maximum number of packets. */
    @HotPath
    public int capacity() {
        return capacity;
    }

    /** Returns the number of packets. */
    @HotPath
    public int size() {
        return size;
    }

    /** Returns the address of packet {@code i}, valid for {@link #captured} bytes. */
    @HotPath
    public long address(int i) {
        return packets.getLong(i * BYTES + ADDRESS);
    }

    /** Returns the number of captured bytes of packet {@code i}. */
    @HotPath
    public int captured(int i) {
        return packets.getInt(i * BYTES + CAPTURED);
    }

    /** Returns the wire length of packet {@code i}. */
    @HotPath
    public int length(int i) {
        return packets.getInt(i * BYTES + LENGTH);
    }

    /** Returns the arrival time of packet {@code i}, in nanoseconds since the epoch. */
    @HotPath
    public long timestampNs(int i) {
        return packets.getLong(i * BYTES + TIMESTAMP_NS);
    }

    /**
     * Returns priority and number of the VLAN tag removed by the kernel from packet {@code i}; see {@link #vlanTpid}.
     */
    @HotPath
    public int vlanTci(int i) {
        return packets.getShort(i * BYTES + VLAN_TCI) & 0xFFFF;
    }

    /** Returns the type of the VLAN tag removed by the kernel from packet {@code i}; 0 without a removed tag. */
    @HotPath
    public int vlanTpid(int i) {
        return packets.getShort(i * BYTES + VLAN_TPID) & 0xFFFF;
    }

    /** Removes all packets. */
    @HotPath
    public void clear() {
        size = 0;
    }

    /**
     * Adds a packet, for captures written in Java and for tests.
     *
     * @param address address of the first byte, valid as specified by {@link PacketCapture#receive}
     * @param captured bytes at the address
     * @param length bytes on the wire
     * @return false when the batch is full
     */
    @HotPath
    public boolean add(long timestampNs, long address, int captured, int length, int vlanTci, int vlanTpid) {
        if (size == capacity) {
            return false;
        }
        int at = size++ * BYTES;
        packets.putLong(at + ADDRESS, address);
        packets.putLong(at + TIMESTAMP_NS, timestampNs);
        packets.putInt(at + CAPTURED, captured);
        packets.putInt(at + LENGTH, length);
        packets.putInt(at + SLOT, 0);
        packets.putShort(at + VLAN_TCI, (short) vlanTci);
        packets.putShort(at + VLAN_TPID, (short) vlanTpid);
        return true;
    }

    /** Address for native code to write descriptors. */
    @HotPath
    long memoryAddress() {
        return packets.addressOffset();
    }

    /** Sets the number of descriptors written by native code. */
    @HotPath
    void filled(int count) {
        size = count;
    }
}
