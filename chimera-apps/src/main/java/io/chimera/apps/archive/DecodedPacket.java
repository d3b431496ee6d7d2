package io.chimera.apps.archive;

import io.chimera.archive.query.PacketInterval;
import io.chimera.common.packet.PacketDecoder;
import io.chimera.common.packet.PacketOutcome;
import io.chimera.common.packet.PacketTuple;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** What is known of one packet of an answer, decoded into memory of its own. One thread. */
public final class DecodedPacket {
    private static final int FRAME_BYTES_MAX = 512 << 10;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int SCTP = 132;

    /** Null until a frame on the heap is decoded: clearing this much takes longer than many a question. */
    private UnsafeBuffer frame;

    private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(PacketTuple.LENGTH));
    private final PacketTuple tuple = new PacketTuple().wrap(memory.addressOffset());
    private final Map<Integer, PacketDecoder> decoders = new HashMap<>();

    /** Nothing yet. */
    public DecodedPacket() {}

    /** Decodes a packet. False: it is not IP, or damaged, and nothing of it is known. */
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
     * @param linkType as capture files number it
     * @param length on the wire
     * @return false: it is not IP, or damaged, and nothing of it is known
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

    /** Of the frame, in memory outside the heap. */
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

    /** Eight bytes of the addresses: two of the source, two of the destination. */
    long addressPart(int part) {
        return memory.getLong(PacketTuple.SOURCE_ADDRESS + part * Long.BYTES);
    }

    /** Its tuple. */
    public PacketTuple tuple() {
        return tuple;
    }

    /** Where it comes from, e.g. 10.0.0.1. */
    public String source() {
        return address(PacketTuple.SOURCE_ADDRESS);
    }

    /** Where it goes to. */
    public String destination() {
        return address(PacketTuple.DESTINATION_ADDRESS);
    }

    private String address(int at) {
        byte[] bytes = new byte[16];
        memory.getBytes(at, bytes);
        try {
            return InetAddress.getByAddress(bytes).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("An address of 16 bytes is one.", e);
        }
    }

    /** Whether its protocol has ports. */
    public boolean hasPorts() {
        int protocol = tuple.protocol();
        return protocol == TCP || protocol == UDP || protocol == SCTP;
    }

    /** Whether it is of TCP. */
    public boolean isTcp() {
        return tuple.protocol() == TCP;
    }
}
