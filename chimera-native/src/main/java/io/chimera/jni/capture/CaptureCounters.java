package io.chimera.jni.capture;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What a capture counted since it was opened. {@link PacketCapture#counters} writes it; off the heap, in the layout of
 * {@code struct chimera_capture_counters}: six u64 in the order of the methods here.
 */
public final class CaptureCounters {

    private static final int RECEIVED = 0;
    private static final int BYTES = 8;
    private static final int DROPPED_RING = 16;
    private static final int DROPPED_INTERFACE = 24;
    private static final int TRUNCATED = 32;
    private static final int INVALID = 40;
    private static final int SIZE = 48;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(SIZE);
    private final UnsafeBuffer counters = new UnsafeBuffer(memory);

    /** Packets handed out. */
    public long received() {
        return counters.getLong(RECEIVED);
    }

    /** Bytes of those packets on the wire. */
    public long bytes() {
        return counters.getLong(BYTES);
    }

    /** Packets lost because our socket or ring was full: this process was too slow. */
    public long droppedRing() {
        return counters.getLong(DROPPED_RING);
    }

    /**
     * Packets that the interface dropped, whoever they were for: the kernel was too slow, or had nobody to give them to.
     * Where a ring is overrun by much, packets are lost here and not in {@link #droppedRing}; some drivers count those of
     * the ring here as well, so the two are not to be added up.
     */
    public long droppedInterface() {
        return counters.getLong(DROPPED_INTERFACE);
    }

    /** Packets handed out with fewer bytes than they had on the wire. */
    public long truncated() {
        return counters.getLong(TRUNCATED);
    }

    /** Records and descriptors that are no packets of the capture, and were left out. */
    public long invalid() {
        return counters.getLong(INVALID);
    }

    @Override
    public String toString() {
        return "received " + received() + ", bytes " + bytes() + ", dropped_ring " + droppedRing()
                + ", dropped_interface " + droppedInterface() + ", truncated " + truncated() + ", invalid " + invalid();
    }

    /** Sets all of them, for captures written in Java and in tests. */
    public void set(long received, long bytes, long droppedRing, long droppedInterface, long truncated, long invalid) {
        counters.putLong(RECEIVED, received);
        counters.putLong(BYTES, bytes);
        counters.putLong(DROPPED_RING, droppedRing);
        counters.putLong(DROPPED_INTERFACE, droppedInterface);
        counters.putLong(TRUNCATED, truncated);
        counters.putLong(INVALID, invalid);
    }

    /** Where native code writes them. */
    long memoryAddress() {
        return counters.addressOffset();
    }
}
