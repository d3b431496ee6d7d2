package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Frames between two queue nodes. Little-endian; each travels inside a channel frame, which adds length and checksum.
 *
 * <pre>
 *   0        4        8                 16                24
 *   +--------+--------+-----------------+-----------------+
 *   | type   | 0      | stream          | sequence number |
 *   +--------+--------+-----------------+-----------------+
 *
 *   SUBSCRIBE    subscriber to peer  send the stream from the record behind this one on; replaces what was asked before
 *   UNSUBSCRIBE  subscriber to peer  send nothing more of the stream; 0
 *   POSITION     subscriber to peer  the stream is durable here up to this record
 *   GAP          peer to subscriber  what lies behind this record is not here (any more)
 *   HELLO        both ways, first    see {@link Hello}
 * </pre>
 *
 * A batch travels as it stands in the journal, with nothing around it: it begins with its length, which is at least 32, and
 * every type is less.
 */
public final class ReplicationFrame {
    /** Introduces a node to the other end of a new connection. */
    public static final int HELLO = PartFrame.HELLO;
    /** Asks for a stream. The numbers go on from those of {@link PartFrame}, with which HELLO is shared. */
    public static final int SUBSCRIBE = 6;
    /** Ends a subscription. */
    public static final int UNSUBSCRIBE = 7;
    /** Tells how far a stream is durable. */
    public static final int POSITION = 8;
    /** Tells that a subscription cannot be served. */
    public static final int GAP = 9;
    /** Stands for all frames that are a batch. */
    public static final int BATCH = BatchLayout.HEADER_LENGTH;

    /** Bytes of every frame that is neither HELLO nor a batch. */
    public static final int LENGTH = 24;

    private static final int STREAM = 8;
    private static final int SEQ = 16;

    private ReplicationFrame() {}

    /** Writes a frame of {@link #LENGTH} bytes. */
    public static void encode(MutableDirectBuffer buffer, int offset, int type, long stream, long seq) {
        buffer.putLong(offset, type, LITTLE_ENDIAN);
        buffer.putLong(offset + STREAM, stream, LITTLE_ENDIAN);
        buffer.putLong(offset + SEQ, seq, LITTLE_ENDIAN);
    }

    /**
     * What a frame that came in is.
     *
     * @return HELLO or BATCH, whose content is still to be checked; one of the other types, whole; 0 when it is none
     */
    public static int type(DirectBuffer buffer, int offset, int length) {
        if (length < LENGTH) {
            return 0;
        }
        int type = buffer.getInt(offset, LITTLE_ENDIAN);
        if (type >= BATCH) {
            return BATCH;
        }
        boolean isKnown = type >= HELLO && type <= GAP;
        boolean isWhole =
                type == HELLO || (length == LENGTH && seq(buffer, offset) >= 0 && stream(buffer, offset) != 0);
        return isKnown && isWhole ? type : 0;
    }

    /** The stream. */
    public static long stream(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + STREAM, LITTLE_ENDIAN);
    }

    /** The sequence number, at least 0. */
    public static long seq(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + SEQ, LITTLE_ENDIAN);
    }
}
