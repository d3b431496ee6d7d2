package io.chimera.jni.capture;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Counters of a capture since its opening, filled by {@link PacketCapture#counters}. Off-heap, in the layout of {@code
 * struct chimera_capture_counters}: six u64 in the order of the methods here.
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

    /** Returns the number of received packets. */
    public long received() {
        return counters.getLong(RECEIVED);
    }

    /** Returns the wire bytes of the received packets. */
    public long bytes() {
        return counters.getLong(BYTES);
    }

    /** Returns the number of packets lost in a full socket or ring: this process was too slow. */
    public long droppedRing() {
        return counters.getLong(DROPPED_RING);
    }

    /**
     * Returns the number of packets dropped by the interface, for any receiver: the kernel was too slow, or no receiver
     * existed. A heavily overrun ring loses packets here instead of in {@link #droppedRing}; some drivers also count
     * ring losses here, so the two counters must not be added.
     */
    public long droppedInterface() {
        return counters.getLong(DROPPED_INTERFACE);
    }

    /** Returns the number of received packets shorter than on the wire. */
    public long truncated() {
        return counters.getLong(TRUNCATED);
    }

    /** Returns the number of skipped records and descriptors without a packet of the capture. */
    public long invalid() {
        return counters.getLong(INVALID);
    }

    @Override
    public String toString() {
        return "received " + received() + ", bytes " + bytes() + ", dropped_ring " + droppedRing()
                + ", dropped_interface " + droppedInterface() + ", truncated " + truncated() + ", invalid " + invalid();
    }

    /** Sets all counters, for captures written in Java and for tests. */
    public void set(long received, long bytes, long droppedRing, long droppedInterface, long truncated, long invalid) {
        counters.putLong(RECEIVED, received);
        counters.putLong(BYTES, bytes);
        counters.putLong(DROPPED_RING, droppedRing);
        counters.putLong(DROPPED_INTERFACE, droppedInterface);
        counters.putLong(TRUNCATED, truncated);
        counters.putLong(INVALID, invalid);
    }

    /** Address for native code to write the counters. */
    long memoryAddress() {
        return counters.addressOffset();
    }
}
