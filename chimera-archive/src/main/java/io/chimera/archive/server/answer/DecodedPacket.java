package io.chimera.archive.server.answer;

import io.chimera.archive.query.packet.PacketInterval;
import io.chimera.flow.packet.PacketDecoder;
import io.chimera.flow.packet.PacketOutcome;
import io.chimera.flow.packet.PacketTuple;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Decodes one packet of an answer into its own memory. One thread. */
public final class DecodedPacket {
    private static final int FRAME_BYTES_MAX = 512 << 10;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int SCTP = 132;

    /**
     * Null until the first frame on the heap is decoded: zeroing a buffer of this size takes longer than many queries.
     */
    private @Nullable UnsafeBuffer frame;

    private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(PacketTuple.LENGTH));
    private final PacketTuple tuple = new PacketTuple().wrap(memory.addressOffset());
    private final Map<Integer, PacketDecoder> decoders = new HashMap<>();

    /** Creates an empty packet. */
    public DecodedPacket() {}

    /** Decodes a packet. Returns false for a damaged packet or a packet without IP; no field is valid then. */
    public boolean decode(PacketInterval packet) {
        return decode(
                packet.linkType(),
                packet.timeNs(),
                packet.buffer(),
                packet.offset(),
                packet.captured(),
                packet.length());
    }

    /**
     * Decodes a frame.
     *
     * @param linkType link type number of capture files
     * @param length length on the wire
     * @return false for a damaged frame or a frame without IP; no field is valid then
     */
    public boolean decode(int linkType, long timeNs, DirectBuffer from, int offset, int captured, int length) {
        if (!PacketDecoder.isKnown(linkType)) {
            return false;
        }
        int bytes = Math.min(captured, FRAME_BYTES_MAX);
        PacketDecoder decoder = decoders.computeIfAbsent(linkType, type -> new PacketDecoder(type, false));
        PacketOutcome outcome =
                decoder.decode(address(from, offset, bytes), bytes, length, timeNs, 0, 0, memory.addressOffset());
        return outcome == PacketOutcome.IP;
    }

    /** Returns the off-heap address of the frame. Copies a frame on the heap first. */
    private long address(DirectBuffer from, int offset, int bytes) {
        from.boundsCheck(offset, bytes);
        if (from.byteArray() == null) {
            return from.addressOffset() + offset;
        }
        if (frame == null) {
            frame = new UnsafeBuffer(ByteBuffer.allocateDirect(FRAME_BYTES_MAX));
        }
        frame.putBytes(0, from, offset, bytes);
        return frame.addressOffset();
    }

    /** Returns eight bytes of the addresses: parts 0 and 1 are the source, parts 2 and 3 the destination. */
    long addressPart(int part) {
        return memory.getLong(PacketTuple.SOURCE_ADDRESS + part * Long.BYTES);
    }

    /** Returns the decoded tuple. */
    public PacketTuple tuple() {
        return tuple;
    }

    /** Returns the source address, e.g. 10.0.0.1. */
    public String source() {
        return address(PacketTuple.SOURCE_ADDRESS);
    }

    /** Returns the destination address. */
    public String destination() {
        return address(PacketTuple.DESTINATION_ADDRESS);
    }

    private String address(int at) {
        byte[] bytes = new byte[16];
        memory.getBytes(at, bytes);
        try {
            return InetAddress.getByAddress(bytes).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("16 bytes are always a valid address.", e);
        }
    }

    /** Whether the protocol has ports. */
    public boolean hasPorts() {
        int protocol = tuple.protocol();
        return protocol == TCP || protocol == UDP || protocol == SCTP;
    }

    /** Whether the protocol is TCP. */
    public boolean isTcp() {
        return tuple.protocol() == TCP;
    }
}
