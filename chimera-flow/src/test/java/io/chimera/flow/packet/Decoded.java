package io.chimera.flow.packet;

import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Decodes frames from its own memory, for tests. */
public final class Decoded {
    /** 00:00:01 of 1970. */
    public static final long TIME_NS = 1_000_000_000L;

    private static final int ROOM = 1 << 17;
    private static final int AHEAD = 64;

    private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(ROOM));
    private final UnsafeBuffer tuple = new UnsafeBuffer(BufferUtil.allocateDirectAligned(PacketTuple.LENGTH, 64));
    private final PacketDecoder decoder;

    /** Creates an instance with a decoder. */
    public Decoded(PacketDecoder decoder) {
        this.decoder = decoder;
    }

    /** Decodes a complete Ethernet frame to a tuple with the outer key. */
    public static PacketTuple of(byte[] frame) {
        return new Decoded(new PacketDecoder(LinkLayer.ETHERNET, false)).decode(frame);
    }

    /** Decodes a complete Ethernet frame to a tuple with the inner key of tunnels. */
    public static PacketTuple inside(byte[] frame) {
        return new Decoded(new PacketDecoder(LinkLayer.ETHERNET, true)).decode(frame);
    }

    /** Decodes a complete frame; the tuple is valid until the next call. */
    public PacketTuple decode(byte[] frame) {
        return decode(frame, frame.length, (byte) 0, 0, 0);
    }

    /**
     * Decodes the first bytes of a frame; the tuple is valid until the next call.
     *
     * @param around fill byte of the memory around the captured bytes
     */
    public PacketTuple decode(byte[] frame, int captured, byte around, int tci, int tpid) {
        memory.setMemory(0, Math.min(ROOM, AHEAD + frame.length + 4096), around);
        memory.putBytes(AHEAD, frame, 0, captured);
        tuple.setMemory(0, PacketTuple.LENGTH, (byte) 0x5A);
        long at = memory.addressOffset() + AHEAD;
        PacketOutcome outcome = decoder.decode(at, captured, frame.length, TIME_NS, tci, tpid, tuple.addressOffset());
        PacketTuple decoded = new PacketTuple().wrap(tuple.addressOffset());
        if (decoded.outcome() != outcome) {
            throw new AssertionError("The tuple says " + decoded.outcome() + ", the decoder " + outcome + ".");
        }
        return decoded;
    }

    /** Copies the bytes of the last tuple. */
    public byte[] bytes() {
        byte[] bytes = new byte[PacketTuple.LENGTH];
        tuple.getBytes(0, bytes);
        return bytes;
    }
}
