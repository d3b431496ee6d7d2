package io.chimera.jni.capture;

import io.chimera.api.HotPath;
import java.nio.ByteBuffer;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Where the packets of one call of {@link PacketCapture#receive} lie. The bytes themselves belong to the capture; this
 * holds their descriptors, 32 bytes each, off the heap and in the order of the machine ({@code chimera_capture.h} has the
 * same layout):
 *
 * <pre>
 *   0 address        u64   first byte of the frame
 *   8 timestamp_ns   i64   since the epoch
 *  16 captured       u32   bytes at the address
 *  20 length         u32   bytes on the wire
 *  24 slot           u32   the capture's own
 *  28 vlan_tci       u16   a tag that the kernel took off the frame
 *  30 vlan_tpid      u16   its type; 0: none was taken off
 * </pre>
 *
 * <p>Used by the thread that uses the capture.
 */
public final class PacketBatch {

    /** Descriptors in a batch unless somebody knows better: 8 KiB of them, and a JNI call costs each packet 0.1 ns. */
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

    /** An empty batch for at most {@code capacity} packets. */
    public PacketBatch(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("A batch holds at least one packet, not " + capacity + ".");
        }
        this.capacity = capacity;
        memory = BufferUtil.allocateDirectAligned(Math.multiplyExact(capacity, BYTES), BitUtil.CACHE_LINE_LENGTH);
        packets = new UnsafeBuffer(memory);
    }

    /** How many packets it can hold. */
    @HotPath
    public int capacity() {
        return capacity;
    }

    /** How many packets it holds. */
    @HotPath
    public int size() {
        return size;
    }

    /** The first byte of packet {@code i}; whoever reads there keeps to {@link #captured}. */
    @HotPath
    public long address(int i) {
        return packets.getLong(i * BYTES + ADDRESS);
    }

    /** How many bytes of packet {@code i} there are. */
    @HotPath
    public int captured(int i) {
        return packets.getInt(i * BYTES + CAPTURED);
    }

    /** How many bytes packet {@code i} had on the wire. */
    @HotPath
    public int length(int i) {
        return packets.getInt(i * BYTES + LENGTH);
    }

    /** When packet {@code i} came, in nanoseconds since the epoch. */
    @HotPath
    public long timestampNs(int i) {
        return packets.getLong(i * BYTES + TIMESTAMP_NS);
    }

    /** Priority and number of the VLAN whose tag the kernel took off packet {@code i}; see {@link #vlanTpid}. */
    @HotPath
    public int vlanTci(int i) {
        return packets.getShort(i * BYTES + VLAN_TCI) & 0xFFFF;
    }

    /** The type of the tag that the kernel took off packet {@code i}; 0 when it took none off. */
    @HotPath
    public int vlanTpid(int i) {
        return packets.getShort(i * BYTES + VLAN_TPID) & 0xFFFF;
    }

    /** Lets go of all packets. */
    @HotPath
    public void clear() {
        size = 0;
    }

    /**
     * Adds a packet, for captures written in Java and in tests.
     *
     * @param address of its first byte, valid as long as {@link PacketCapture#receive} says
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

    /** Where native code writes descriptors. */
    @HotPath
    long memoryAddress() {
        return packets.addressOffset();
    }

    /** How many descriptors native code wrote. */
    @HotPath
    void filled(int count) {
        size = count;
    }
}
