package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Layout of the frames between a queue node and a processor. Little-endian. Each frame is the payload of a channel
 * frame; the channel frame adds length and checksum.
 *
 * <pre>
 *   0    1    2      4       6          8         16             20       24      28            32      34     36 40
 *   +----+----+------+-------+----------+---------+--------------+--------+-------+-------------+-------+------+-+---
 *   |type| 0  | part | shard | pipeline | cycle   | transmission | index  | count | fingerprint | slice |slices|0|body
 *   +----+----+------+-------+----------+---------+--------------+--------+-------+-------------+-------+------+-+---
 *
 *   DATA  queue node to processor  body of {@link BodyLayout} with count records; index = 0, 1, 2 …
 *   END   queue node to processor  index = number of DATA frames; body = u64 primary records, u64 filtered records,
 *                                   u64 copies, u64 checksum
 *   OK    processor to queue node  the part of the shard is completely staged; body = u64 session of the processor
 *   NEED  processor to queue node  request for a missing part of the shard; body = u64 session of the processor
 *   PAST, PAST_DATA, PAST_END, PAST_NONE  see {@link PastFrame}
 *   HELLO both ways, first frame    body = u64 session, u32 protocol version, u16 length, cluster name
 * </pre>
 *
 * <p>The fingerprint identifies the set of pipelines by its digest. A DATA, END or PAST frame refers to a pipeline of
 * this set by ordinal, and the sender selected the records with this set. The fingerprint is 0 in frames without a
 * pipeline set.
 *
 * <p>DATA, END, OK and NEED refer to a {@link Slice} of the shard: records of the slice, totals of the slice, a staged
 * slice, a missing slice. Slice 0 of 1 is the whole shard.
 *
 * <p>A transmission is one sending of (cycle, part, shard) over one connection. A sender numbers its transmissions in
 * increasing order; a receiver of index 0 of a new transmission drops the stored data of the part. The checksum is the
 * sum of {@link #recordChecksum} over all copies and does not depend on the distribution of the copies over frames.
 */
public final class PartFrame {
    /** Records of a part of a shard. */
    public static final int DATA = 1;
    /** Totals of a completely sent part of a shard. */
    public static final int END = 2;
    /** Confirms a completely staged part of a shard. */
    public static final int OK = 3;
    /** Requests a missing part of a shard. */
    public static final int NEED = 4;
    /** Introduces a node to the other end of a new connection. */
    public static final int HELLO = 5;

    /** Length of the header; the body begins here. */
    public static final int HEADER_LENGTH = 40;
    /** Length of an END frame in bytes. */
    public static final int END_LENGTH = HEADER_LENGTH + 32;
    /** Length of an OK or NEED frame in bytes. */
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

    /** Part in the header of a frame that belongs to no part. */
    static final PartId NO_PART = new PartId(0, 0, 0);

    private PartFrame() {}

    /** Writes a header for the whole shard, with fingerprint 0. */
    @HotPath
    public static void header(
            MutableDirectBuffer buffer,
            int offset,
            int type,
            PartId id,
            int pipeline,
            int transmission,
            int index,
            int count) {
        buffer.putShort(offset, (short) type, LITTLE_ENDIAN);
        buffer.putShort(offset + PART, (short) id.part(), LITTLE_ENDIAN);
        buffer.putShort(offset + SHARD, (short) id.shard(), LITTLE_ENDIAN);
        buffer.putShort(offset + PIPELINE, (short) pipeline, LITTLE_ENDIAN);
        buffer.putLong(offset + CYCLE, id.cycle(), LITTLE_ENDIAN);
        buffer.putInt(offset + TRANSMISSION, transmission, LITTLE_ENDIAN);
        buffer.putInt(offset + INDEX, index, LITTLE_ENDIAN);
        buffer.putInt(offset + COUNT, count, LITTLE_ENDIAN);
        buffer.putInt(offset + FINGERPRINT, 0, LITTLE_ENDIAN);
        slice(buffer, offset, 0, 1);
        buffer.putInt(offset + RESERVED, 0, LITTLE_ENDIAN);
    }

    /** Writes the slice of the shard into a header. */
    @HotPath
    static void slice(MutableDirectBuffer buffer, int offset, int index, int count) {
        buffer.putShort(offset + SLICE, (short) index, LITTLE_ENDIAN);
        buffer.putShort(offset + SLICES, (short) count, LITTLE_ENDIAN);
    }

    static int sliceIndex(DirectBuffer buffer, int offset) {
        return buffer.getShort(offset + SLICE, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Number of slices of the shard. */
    static int sliceCount(DirectBuffer buffer, int offset) {
        return buffer.getShort(offset + SLICES, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Writes the reserved word of a header. */
    static void reserved(MutableDirectBuffer buffer, int offset, int value) {
        buffer.putInt(offset + RESERVED, value, LITTLE_ENDIAN);
    }

    /** Reserved word of a header; 0 unless {@link PastFrame} gives it a meaning. */
    static int reserved(DirectBuffer buffer, int offset) {
        return buffer.getInt(offset + RESERVED, LITTLE_ENDIAN);
    }

    /** Writes the fingerprint of the pipelines' digest into a header. */
    @HotPath
    public static void fingerprint(MutableDirectBuffer buffer, int offset, int fingerprint) {
        buffer.putInt(offset + FINGERPRINT, fingerprint, LITTLE_ENDIAN);
    }

    /** Fingerprint of the pipelines' digest, or 0. */
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

    /** Type of a frame: DATA, END, OK, NEED, HELLO, a type of {@link PastFrame}, or an unknown type. */
    public static int type(DirectBuffer buffer, int offset) {
        return buffer.getShort(offset, LITTLE_ENDIAN);
    }

    /** Part. */
    public static int part(DirectBuffer buffer, int offset) {
        return buffer.getShort(offset + PART, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Shard. */
    public static int shard(DirectBuffer buffer, int offset) {
        return buffer.getShort(offset + SHARD, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Part of a shard; creates an object, unlike {@link #cycle}, {@link #part} and {@link #shard}. */
    @ColdPath
    public static PartId id(DirectBuffer buffer, int offset) {
        return new PartId(cycle(buffer, offset), part(buffer, offset), shard(buffer, offset));
    }

    /** Ordinal of the pipeline among the configured pipelines, ordered by name. */
    public static int pipeline(DirectBuffer buffer, int offset) {
        return buffer.getShort(offset + PIPELINE, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Cycle. */
    public static long cycle(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + CYCLE, LITTLE_ENDIAN);
    }

    /** Number of the transmission, assigned by the sender. */
    public static int transmission(DirectBuffer buffer, int offset) {
        return buffer.getInt(offset + TRANSMISSION, LITTLE_ENDIAN);
    }

    /** Number of the DATA frame within its transmission; in an END frame, the number of DATA frames. */
    public static int index(DirectBuffer buffer, int offset) {
        return buffer.getInt(offset + INDEX, LITTLE_ENDIAN);
    }

    /** Number of records in the frame. */
    public static int count(DirectBuffer buffer, int offset) {
        return buffer.getInt(offset + COUNT, LITTLE_ENDIAN);
    }

    /**
     * Contribution of one record to the checksum of a part.
     *
     * @param keyHash key hash of the record's series
     */
    @HotPath
    public static long recordChecksum(long keyHash, RecordFlyweight record) {
        return (keyHash ^ Long.rotateLeft(record.timeNs(), 17)) * 0x9E3779B97F4A7C15L + record.length();
    }
}
