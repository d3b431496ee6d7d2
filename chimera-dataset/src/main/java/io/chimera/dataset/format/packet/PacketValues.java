package io.chimera.dataset.format.packet;

import io.chimera.flow.packet.PacketDecoder;
import io.chimera.flow.packet.PacketOutcome;
import io.chimera.flow.packet.PacketTuple;
import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The values of one packet after another. The decoder reads native memory, so the bytes of a packet are copied. One
 * thread; owns the memory; allocates nothing per packet.
 */
final class PacketValues implements AutoCloseable {
    /** Bytes of a packet that are decoded: all headers of IP are much shorter. */
    private static final int DECODED_BYTES_MAX = 4096;

    private static final int ICMP = 1;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int DCCP = 33;
    private static final int ICMP_6 = 58;
    private static final int SCTP = 132;
    private static final int UDP_LITE = 136;

    private final ByteBuffer allocated = ByteBuffer.allocateDirect(DECODED_BYTES_MAX + PacketTuple.LENGTH);
    private final UnsafeBuffer memory = new UnsafeBuffer(allocated);
    private final UnsafeBuffer text = new UnsafeBuffer(0, 0);
    private final PacketDecoder decoder;
    private final PacketTuple tuple = new PacketTuple().wrap(memory.addressOffset());
    private long captured;
    private boolean isClosed;

    /**
     * Creates a packet without values.
     *
     * @param linkType link type of the packets, one that {@link PacketDecoder#isKnown}
     */
    PacketValues(int linkType) {
        decoder = new PacketDecoder(linkType, false);
    }

    /**
     * Decodes a packet.
     *
     * @param bytes array with the captured bytes
     * @param offset index of the first byte
     * @param capturedBytes number of captured bytes
     * @param length length on the wire in bytes
     * @param timeNs time of the packet, nanoseconds since 1970
     */
    void decode(byte[] bytes, int offset, int capturedBytes, int length, long timeNs) {
        captured = capturedBytes;
        int copied = Math.min(capturedBytes, DECODED_BYTES_MAX);
        memory.putBytes(PacketTuple.LENGTH, bytes, offset, copied);
        long address = memory.addressOffset();
        decoder.decode(address + PacketTuple.LENGTH, copied, Math.max(length, capturedBytes), timeNs, 0, 0, address);
    }

    PacketTuple tuple() {
        return tuple;
    }

    /** Memory of the tuple, from index 0 on. */
    DirectBuffer memory() {
        return memory;
    }

    /** Number of captured bytes. */
    long captured() {
        return captured;
    }

    boolean isIp() {
        return tuple.outcome() == PacketOutcome.IP;
    }

    boolean hasPorts() {
        return isWholeTransport()
                && switch (tuple.protocol()) {
                    case TCP, UDP, DCCP, SCTP, UDP_LITE -> true;
                    default -> false;
                };
    }

    boolean isTcp() {
        return isWholeTransport() && tuple.protocol() == TCP;
    }

    boolean isIcmp() {
        return isWholeTransport() && (tuple.protocol() == ICMP || tuple.protocol() == ICMP_6);
    }

    private boolean isWholeTransport() {
        return isIp() && (tuple.flags() & PacketTuple.FLAG_LATER_FRAGMENT) == 0;
    }

    /** Writes a number; returns the index after its last digit. */
    int digits(long number, byte[] target, int at) {
        text.wrap(target);
        return at + text.putLongAscii(at, number);
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            BufferUtil.free(allocated);
        }
    }
}
