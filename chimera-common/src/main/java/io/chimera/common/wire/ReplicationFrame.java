package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Layout of the frames between two queue nodes. Little-endian. Each frame is the payload of a channel frame; the
 * channel frame adds length and checksum.
 *
 * <pre>
 *   0        4        8                 16                24
 *   +--------+--------+-----------------+-----------------+
 *   | type   | 0      | stream          | sequence number |
 *   +--------+--------+-----------------+-----------------+
 *
 *   SUBSCRIBE    subscriber to peer  send the stream from the record after this sequence number; replaces the previous
 *                                    subscription
 *   UNSUBSCRIBE  subscriber to peer  send no further data of the stream; sequence number 0
 *   POSITION     subscriber to peer  the subscriber has stored the stream durably up to this record
 *   GAP          peer to subscriber  the peer does not store the records after this sequence number, or no longer
 *   HELLO        both ways, first    see {@link Hello}
 * </pre>
 *
 * <p>A batch is sent as stored in the journal, without a header: its first word is its length, at least 32, and every
 * frame type is less than 32.
 */
public final class ReplicationFrame {
    /** Introduces a node to the other end of a new connection. */
    public static final int HELLO = PartFrame.HELLO;
    /** Subscribes to a stream. The type numbers continue after those of {@link PartFrame}; both share HELLO. */
    public static final int SUBSCRIBE = 6;
    /** Ends a subscription. */
    public static final int UNSUBSCRIBE = 7;
    /** Acknowledges the durable position of a stream. */
    public static final int POSITION = 8;
    /** Reports that the peer cannot serve a subscription. */
    public static final int GAP = 9;
    /** Type returned for every batch. */
    public static final int BATCH = BatchLayout.HEADER_LENGTH;

    /** Length in bytes of every frame except HELLO and batches. */
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
     * Returns the type of a received frame.
     *
     * @return HELLO or BATCH, with unchecked content; another type for a valid frame; 0 for an invalid frame
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

    /** Stream. */
    public static long stream(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + STREAM, LITTLE_ENDIAN);
    }

    /** Sequence number, at least 0. */
    public static long seq(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + SEQ, LITTLE_ENDIAN);
    }
}
