package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * First frame of either end of a new connection; see {@link PartFrame#HELLO}. Two nodes communicate only with equal
 * protocol versions and cluster names.
 *
 * @param session session of the sending node
 * @param protocol {@link #PROTOCOL} of the sending node
 * @param cluster cluster name of the sending node
 */
public record Hello(long session, int protocol, String cluster) {
    /** Version of all frames; increased when an older node could misread a frame. */
    public static final int PROTOCOL = 5;

    private static final int SESSION = PartFrame.HEADER_LENGTH;
    private static final int VERSION = SESSION + 8;
    private static final int NAME = VERSION + 4;

    /** Maximum length of a cluster name in bytes. */
    private static final int NAME_LENGTH_MAX = 256;

    /** Creates the HELLO of this node. */
    public static Hello of(long session, String cluster) {
        return new Hello(session, PROTOCOL, cluster);
    }

    /** Length of the frame in bytes. */
    public int length() {
        return NAME + 2 + cluster.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Returns the frame in a new buffer. */
    public DirectBuffer frame() {
        UnsafeBuffer frame = new UnsafeBuffer(new byte[length()]);
        encode(frame, 0);
        return frame;
    }

    /** Writes the frame. */
    public void encode(MutableDirectBuffer buffer, int offset) {
        byte[] name = cluster.getBytes(StandardCharsets.UTF_8);
        PartFrame.header(buffer, offset, PartFrame.HELLO, PartFrame.NO_PART, 0, 0, 0, 0);
        buffer.putLong(offset + SESSION, session, LITTLE_ENDIAN);
        buffer.putInt(offset + VERSION, protocol, LITTLE_ENDIAN);
        buffer.putShort(offset + NAME, (short) name.length, LITTLE_ENDIAN);
        buffer.putBytes(offset + NAME + 2, name);
    }

    /**
     * Decodes a frame.
     *
     * @return the decoded HELLO, or null for any other frame
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

    /** Returns whether the two nodes may communicate. */
    public boolean fits(Hello other) {
        return protocol == other.protocol && cluster.equals(other.cluster);
    }
}
