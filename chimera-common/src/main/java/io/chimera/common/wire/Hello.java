package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The first frame either end of a new connection sends; see {@link PartFrame#HELLO}. Two nodes talk only when they speak
 * the same protocol and belong to the same cluster.
 *
 * @param session of the node that says it
 * @param protocol {@link #PROTOCOL} of the node that says it
 * @param cluster name of the cluster it belongs to
 */
public record Hello(long session, int protocol, String cluster) {
    /** Version of all frames; raised when an older node could misread one. */
    public static final int PROTOCOL = 5;

    private static final int SESSION = PartFrame.HEADER_LENGTH;
    private static final int VERSION = SESSION + 8;
    private static final int NAME = VERSION + 4;

    /** The most bytes a cluster's name may have. */
    private static final int NAME_LENGTH_MAX = 256;

    /** What this node says. */
    public static Hello of(long session, String cluster) {
        return new Hello(session, PROTOCOL, cluster);
    }

    /** Bytes of the frame. */
    public int length() {
        return NAME + 2 + cluster.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Writes the frame. */
    public void encode(MutableDirectBuffer buffer, int offset) {
        byte[] name = cluster.getBytes(StandardCharsets.UTF_8);
        PartFrame.header(buffer, offset, PartFrame.HELLO, 0, 0, 0, 0, 0, 0, 0);
        buffer.putLong(offset + SESSION, session, LITTLE_ENDIAN);
        buffer.putInt(offset + VERSION, protocol, LITTLE_ENDIAN);
        buffer.putShort(offset + NAME, (short) name.length, LITTLE_ENDIAN);
        buffer.putBytes(offset + NAME + 2, name);
    }

    /**
     * Reads a frame.
     *
     * @return what it says, or null when it is none of this kind
     */
    public static Hello decode(DirectBuffer buffer, int offset, int length) {
        if (length < NAME + 2 || PartFrame.type(buffer, offset) != PartFrame.HELLO) {
            return null;
        }
        int nameLength = buffer.getShort(offset + NAME, LITTLE_ENDIAN) & 0xFFFF;
        if (nameLength > NAME_LENGTH_MAX || length != NAME + 2 + nameLength) {
            return null;
        }
        return new Hello(
                buffer.getLong(offset + SESSION, LITTLE_ENDIAN),
                buffer.getInt(offset + VERSION, LITTLE_ENDIAN),
                RecordDecoder.text(buffer, offset + NAME + 2, nameLength));
    }

    /** Whether the two may talk. */
    public boolean fits(Hello other) {
        return protocol == other.protocol && cluster.equals(other.cluster);
    }
}
