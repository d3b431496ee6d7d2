package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Frames between a queue node and a processor. Little-endian; each travels inside a channel frame, which adds length and
 * checksum.
 *
 * <pre>
 *   0    1    2      4       6          8         16             20       24      28            32      34       36  40
 *   +----+----+------+-------+----------+---------+--------------+--------+-------+-------------+-------+--------+---+------
 *   |type| 0  | part | shard | pipeline | cycle   | transmission | index  | count | fingerprint | slice | slices | 0 | body
 *   +----+----+------+-------+----------+---------+--------------+--------+-------+-------------+-------+--------+---+------
 *
 *   DATA  queue node to processor  body of {@link BodyLayout} with count records; index = 0, 1, 2 … within the transmission
 *   END   queue node to processor  index = number of DATA frames; body = u64 primary records, u64 filtered records,
 *                                   u64 copies, u64 checksum
 *   OK    processor to queue node  the part of the shard is staged whole; body = u64 session of the processor
 *   NEED  processor to queue node  the part of the shard is not here, send it; body = u64 session of the processor
 *   PAST, PAST_DATA, PAST_END, PAST_NONE  see {@link PastFrame}
 *   HELLO both ways, first frame    body = u64 session, u32 protocol version, u16 length, cluster name
 * </pre>
 *
 * The fingerprint is that of the digest of the pipelines among which a DATA, END or PAST frame names one by its ordinal, and by
 * which its records were chosen; 0 where none is named. DATA, END, OK and NEED name a {@link Slice} of the shard: records of the slice,
 * totals of the slice, the slice that is staged, the slice that is needed; slice 0 of 1 is the whole shard. A transmission is one sending of (cycle, part, shard) over one connection;
 * a sender numbers its transmissions upward, so a receiver that sees index 0 of a new one drops what it holds of that part. The
 * checksum is the sum of {@link #recordChecksum} over all copies, which does not depend on how they were cut into frames.
 */
public final class PartFrame {
    /** Records of a part of a shard. */
    public static final int DATA = 1;
    /** The part of the shard is complete. */
    public static final int END = 2;
    /** The processor holds the part of the shard. */
    public static final int OK = 3;
    /** The processor lacks the part of the shard. */
    public static final int NEED = 4;
    /** Introduces a node to the other end of a new connection. */
    public static final int HELLO = 5;

    /** Where the body begins. */
    public static final int HEADER_LENGTH = 40;
    /** Bytes of an END frame. */
    public static final int END_LENGTH = HEADER_LENGTH + 32;
    /** Bytes of an OK or NEED frame. */
    public static final int ANSWER_LENGTH = HEADER_LENGTH + 8;

    private static final int PART = 2;
    private static final int SHARD = 4;
    private static final int PIPELINE = 6;
    private static final int CYCLE = 8;
    private static final int TRANSMISSION = 16;
    private static final int INDEX = 20;
    private static final int COUNT = 24;
    private static final int FINGERPRINT = 28;
    private static final int SLICE = 32;
    private static final int SLICES = 34;
    private static final int RESERVED = 36;

    private PartFrame() {}

    /** Writes a header, of the whole shard. */
    @HotPath
    public static void header(
            MutableDirectBuffer buffer,
            int offset,
            int type,
            long cycle,
            int part,
            int shard,
            int pipeline,
            int transmission,
            int index,
            int count) {
        buffer.putShort(offset, (short) type, LITTLE_ENDIAN);
        buffer.putShort(offset + PART, (short) part, LITTLE_ENDIAN);
        buffer.putShort(offset + SHARD, (short) shard, LITTLE_ENDIAN);
        buffer.putShort(offset + PIPELINE, (short) pipeline, LITTLE_ENDIAN);
        buffer.putLong(offset + CYCLE, cycle, LITTLE_ENDIAN);
        buffer.putInt(offset + TRANSMISSION, transmission, LITTLE_ENDIAN);
        buffer.putInt(offset + INDEX, index, LITTLE_ENDIAN);
        buffer.putInt(offset + COUNT, count, LITTLE_ENDIAN);
        buffer.putInt(offset + FINGERPRINT, 0, LITTLE_ENDIAN);
        slice(buffer, offset, 0, 1);
        buffer.putInt(offset + RESERVED, 0, LITTLE_ENDIAN);
    }

    /** Writes into a header the slice of the shard. */
    @HotPath
    static void slice(MutableDirectBuffer buffer, int offset, int index, int count) {
        buffer.putShort(offset + SLICE, (short) index, LITTLE_ENDIAN);
        buffer.putShort(offset + SLICES, (short) count, LITTLE_ENDIAN);
    }

    /** Index of the slice. */
    static int sliceIndex(DirectBuffer buffer, int offset) {
        return buffer.getShort(offset + SLICE, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Number of slices of the shard. */
    static int sliceCount(DirectBuffer buffer, int offset) {
        return buffer.getShort(offset + SLICES, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Writes into a header the fingerprint of the pipelines' digest. */
    @HotPath
    public static void fingerprint(MutableDirectBuffer buffer, int offset, int fingerprint) {
        buffer.putInt(offset + FINGERPRINT, fingerprint, LITTLE_ENDIAN);
    }

    /** The fingerprint of the pipelines' digest, or 0. */
    public static int fingerprint(DirectBuffer buffer, int offset) {
        return buffer.getInt(offset + FINGERPRINT, LITTLE_ENDIAN);
    }

    /** Writes the n-th 64-bit word of a body. */
    public static void word(MutableDirectBuffer buffer, int offset, int n, long value) {
        buffer.putLong(offset + HEADER_LENGTH + 8 * n, value, LITTLE_ENDIAN);
    }

    /** Reads the n-th 64-bit word of a body. */
    public static long word(DirectBuffer buffer, int offset, int n) {
        return buffer.getLong(offset + HEADER_LENGTH + 8 * n, LITTLE_ENDIAN);
    }

    /** DATA, END, OK, NEED or HELLO, or something unknown. */
    public static int type(DirectBuffer buffer, int offset) {
        return buffer.getShort(offset, LITTLE_ENDIAN);
    }

    /** The part. */
    public static int part(DirectBuffer buffer, int offset) {
        return buffer.getShort(offset + PART, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** The shard. */
    public static int shard(DirectBuffer buffer, int offset) {
        return buffer.getShort(offset + SHARD, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Ordinal of the pipeline, by name, among the configured pipelines. */
    public static int pipeline(DirectBuffer buffer, int offset) {
        return buffer.getShort(offset + PIPELINE, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** The cycle. */
    public static long cycle(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + CYCLE, LITTLE_ENDIAN);
    }

    /** The sender's number of this sending. */
    public static int transmission(DirectBuffer buffer, int offset) {
        return buffer.getInt(offset + TRANSMISSION, LITTLE_ENDIAN);
    }

    /** Number of the DATA frame within its transmission, or how many there were. */
    public static int index(DirectBuffer buffer, int offset) {
        return buffer.getInt(offset + INDEX, LITTLE_ENDIAN);
    }

    /** Number of records in the frame. */
    public static int count(DirectBuffer buffer, int offset) {
        return buffer.getInt(offset + COUNT, LITTLE_ENDIAN);
    }

    /**
     * What one record adds to the checksum of a part.
     *
     * @param keyHash of its series
     */
    @HotPath
    public static long recordChecksum(long keyHash, RecordFlyweight record) {
        return (keyHash ^ Long.rotateLeft(record.timeNs(), 17)) * 0x9E3779B97F4A7C15L + record.length();
    }
}
