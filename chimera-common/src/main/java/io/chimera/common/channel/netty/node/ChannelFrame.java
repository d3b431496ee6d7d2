package io.chimera.common.channel.netty.node;

import io.chimera.api.ColdPath;
import io.chimera.common.channel.CreditWindow;
import io.chimera.common.channel.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Layout of a channel frame, the frame on the wire between two nodes. Little-endian.
 *
 * <pre>
 *   0         3      4        8
 *   +---------+------+--------+---------+
 *   | length  | kind | crc32c | payload |      length and crc32c: of the payload; length u24, kind u8
 *   +---------+------+--------+---------+
 *
 *   DATA    length 1 to 1 MiB   frame offered by a node
 *   START   length 12           first frame both ways: u32 "CHIM", u32 version, u32 bytes of credit granted
 *   CREDIT  length 4            u32 bytes of credit returned
 *   PING    length 0            heartbeat, sent after a second without other frames
 * </pre>
 *
 * <p>Because lengths stay below 2^24, a first word with any other kind is detected as foreign: neither a negative
 * length nor the first bytes of HTTP or TLS are accepted.
 */
public final class ChannelFrame {
    static final int DATA = 0;
    static final int START = 1;
    static final int CREDIT = 2;
    static final int PING = 3;

    static final int CRC = 4;
    static final int HEADER_LENGTH = 8;
    static final int START_LENGTH = 12;
    static final int CREDIT_LENGTH = 4;
    public static final int VERSION = 1;
    /** "CHIM" in ASCII, in wire byte order. */
    public static final int MAGIC = 'C' | 'H' << 8 | 'I' << 16 | 'M' << 24;

    private static final int KIND_SHIFT = 24;
    private static final int LENGTH_MASK = (1 << KIND_SHIFT) - 1;

    private ChannelFrame() {}

    static int word(int kind, int length) {
        return kind << KIND_SHIFT | length;
    }

    static int kind(int word) {
        return word >>> KIND_SHIFT;
    }

    static int length(int word) {
        return word & LENGTH_MASK;
    }

    /** Returns null for a valid first word, otherwise a description of the error. */
    @ColdPath
    static String fault(int word) {
        int length = length(word);
        return switch (kind(word)) {
            case DATA ->
                length >= 1 && length <= Transport.FRAME_LENGTH_MAX
                        ? null
                        : "a frame of " + length + " bytes is outside the range 1 to " + Transport.FRAME_LENGTH_MAX;
            case START -> length == START_LENGTH ? null : wrongLength("START", length);
            case CREDIT -> length == CREDIT_LENGTH ? null : wrongLength("CREDIT", length);
            case PING -> length == 0 ? null : wrongLength("PING", length);
            default -> "0x" + Integer.toHexString(word) + " is not a frame header of Chimera's channel protocol";
        };
    }

    private static String wrongLength(String kind, int length) {
        return "a " + kind + " frame cannot have " + length + " bytes";
    }

    static ByteBuf start(ByteBufAllocator allocator) {
        ByteBuf frame = allocator.directBuffer(HEADER_LENGTH + START_LENGTH);
        frame.writeIntLE(word(START, START_LENGTH)).writeIntLE(0);
        frame.writeIntLE(MAGIC).writeIntLE(VERSION).writeIntLE(CreditWindow.BYTES);
        return seal(frame);
    }

    static ByteBuf credit(ByteBufAllocator allocator, int bytes) {
        ByteBuf frame = allocator.directBuffer(HEADER_LENGTH + CREDIT_LENGTH);
        frame.writeIntLE(word(CREDIT, CREDIT_LENGTH)).writeIntLE(0).writeIntLE(bytes);
        return seal(frame);
    }

    static ByteBuf ping(ByteBufAllocator allocator) {
        return allocator.directBuffer(HEADER_LENGTH).writeIntLE(word(PING, 0)).writeIntLE(0);
    }

    private static ByteBuf seal(ByteBuf frame) {
        CRC32C crc = new CRC32C();
        ByteBuffer payload = frame.nioBuffer(HEADER_LENGTH, frame.readableBytes() - HEADER_LENGTH);
        crc.update(payload);
        return frame.setIntLE(CRC, (int) crc.getValue());
    }
}
