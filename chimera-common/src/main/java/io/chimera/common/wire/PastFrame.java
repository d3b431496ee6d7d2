package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.BitSet;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Layout of the frames for past cycles. A processor requests past cycles from a queue node to rebuild the state of a
 * composition. The header is the header of {@link PartFrame}; the request number replaces the transmission number, and
 * the shard is unused.
 *
 * <pre>
 *   PAST       processor to queue node  request: send the first cycle at or after the given cycle with a time within
 *                                       the horizon before the last cycle; replaces the pipeline's previous request.
 *                                       count = bytes of the body: u64 session of the processor, u64 last cycle,
 *                                       u64 horizon (ms), one bit per partition
 *   PAST_DATA  queue node to processor  like DATA, restricted to the requested partitions
 *   PAST_END   queue node to processor  index = number of PAST_DATA frames of the part, count = number of parts of the
 *                                       cycle; body = u64 primary records, u64 time of the cycle (ms), u64 copies,
 *                                       u64 checksum, u64 clock for lateness decisions (ms). Reserved word of the
 *                                       header: u16 first part and u16 number of parts of the sender's journal group;
 *                                       0 for all parts
 *   PAST_NONE  queue node to processor  all cycles before this cycle are older than the horizon, and this cycle is not
 *                                       stored here
 * </pre>
 */
public final class PastFrame {
    /** Requests a past cycle. The type numbers continue after those of {@link ReplicationFrame}. */
    public static final int PAST = 10;
    /** Records of a part of a past cycle. */
    public static final int PAST_DATA = 11;
    /**
     * Totals of a completely sent part of a past cycle. A queue node sends the PAST_END frames of all parts of its
     * group, in order, after all PAST_DATA frames.
     */
    public static final int PAST_END = 12;
    /** Reports that the queue node has no cycle to send. */
    public static final int PAST_NONE = 13;

    /** Length of a PAST_END frame in bytes. */
    public static final int END_LENGTH = PartFrame.END_LENGTH + 8;
    /** Length of a PAST_NONE frame in bytes. */
    public static final int NONE_LENGTH = PartFrame.HEADER_LENGTH;

    /** Maximum number of partitions of a pipeline. */
    public static final int PARTITIONS_MAX = 4096;

    /** Maximum length of a PAST frame in bytes. */
    public static final int LENGTH_MAX = PartFrame.HEADER_LENGTH + 24 + PARTITIONS_MAX / 8;

    private static final int SESSION = 0;
    private static final int LAST = 1;
    private static final int HORIZON = 2;
    private static final int PARTITIONS = PartFrame.HEADER_LENGTH + 24;

    private static final int END_TIME = 1;
    private static final int END_CLOCK = 4;

    private PastFrame() {}

    /**
     * Writes the parts of the sender's journal group into a PAST_END frame.
     *
     * @param first number of the first part of the group
     * @param count number of parts of the group
     * @param all number of parts of the cycle
     */
    public static void parts(MutableDirectBuffer end, int first, int count, int all) {
        if ((first | count) >>> Short.SIZE != 0) {
            throw new IllegalArgumentException("The parts of a group do not fit a frame: " + first + ", " + count);
        }
        PartFrame.reserved(end, 0, count == all ? 0 : first | count << 16);
    }

    /** Reads the first part of the sender's journal group from a PAST_END frame. */
    public static int firstPart(DirectBuffer end) {
        return PartFrame.reserved(end, 0) & 0xFFFF;
    }

    /** Reads the number of parts of the sender's journal group from a PAST_END frame. */
    public static int partCount(DirectBuffer end) {
        int reserved = PartFrame.reserved(end, 0);
        return reserved == 0 ? PartFrame.count(end, 0) : reserved >>> 16;
    }

    /**
     * Returns whether the numbers of parts in a PAST_END frame fit together, so that a receiver may keep these parts:
     * the part of the frame belongs to the sender's group, and the parts of the group to the cycle.
     *
     * @param partsMax maximum number of parts of a cycle
     */
    public static boolean hasSoundParts(DirectBuffer end, int partsMax) {
        int all = PartFrame.count(end, 0);
        int first = firstPart(end);
        int count = partCount(end);
        int part = PartFrame.part(end, 0);
        return all > 0 && all <= partsMax && first + count <= all && first <= part && part < first + count;
    }

    /** Writes the times of the cycle into a PAST_END frame. */
    public static void times(MutableDirectBuffer end, long rowsMs, long clockMs) {
        PartFrame.word(end, 0, END_TIME, rowsMs);
        PartFrame.word(end, 0, END_CLOCK, clockMs);
    }

    /** Reads the row timestamp of the cycle from a PAST_END frame. */
    public static long rowsMs(DirectBuffer end) {
        return PartFrame.word(end, 0, END_TIME);
    }

    /** Reads the clock for lateness decisions from a PAST_END frame. */
    public static long clockMs(DirectBuffer end) {
        return PartFrame.word(end, 0, END_CLOCK);
    }

    /**
     * Request of a processor for a past cycle.
     *
     * @param processor session of the processor
     * @param number number of the request, repeated in the answer
     * @param fingerprint fingerprint of the digest of the pipelines; 0 without pipelines
     * @param pipeline ordinal of the pipeline in the pipeline set
     * @param cycles acceptable cycles
     * @param partitions requested partitions of the keys
     */
    public record Request(
            long processor, int number, int fingerprint, int pipeline, Cycles cycles, BitSet partitions) {}

    /**
     * Cycles acceptable in the answer of a request.
     *
     * @param first number of the first acceptable cycle
     * @param last number of the last acceptable cycle
     * @param horizonMs age limit, relative to the time of the last cycle; cycles of this age or older are not
     *     acceptable
     */
    public record Cycles(long first, long last, long horizonMs) {}

    /**
     * Encodes a request.
     *
     * @return length of the frame
     */
    public static int encode(MutableDirectBuffer buffer, int offset, Request request) {
        long[] words = request.partitions().toLongArray();
        int bytes = 24 + 8 * words.length;
        PartFrame.header(
                buffer,
                offset,
                PAST,
                new PartId(request.cycles().first(), 0, 0),
                request.pipeline(),
                request.number(),
                0,
                bytes);
        PartFrame.fingerprint(buffer, offset, request.fingerprint());
        PartFrame.word(buffer, offset, SESSION, request.processor());
        PartFrame.word(buffer, offset, LAST, request.cycles().last());
        PartFrame.word(buffer, offset, HORIZON, request.cycles().horizonMs());
        for (int i = 0; i < words.length; i++) {
            buffer.putLong(offset + PARTITIONS + 8 * i, words[i], LITTLE_ENDIAN);
        }
        return PartFrame.HEADER_LENGTH + bytes;
    }

    /**
     * Decodes a request.
     *
     * @return the request, or null for any other frame
     */
    public static Request decode(DirectBuffer buffer, int offset, int length) {
        boolean isWhole = length >= PARTITIONS
                && length <= LENGTH_MAX
                && length % 8 == 0
                && PartFrame.type(buffer, offset) == PAST
                && PartFrame.count(buffer, offset) == length - PartFrame.HEADER_LENGTH;
        if (!isWhole) {
            return null;
        }
        long[] words = new long[(length - PARTITIONS) / 8];
        for (int i = 0; i < words.length; i++) {
            words[i] = buffer.getLong(offset + PARTITIONS + 8 * i, LITTLE_ENDIAN);
        }
        return new Request(
                PartFrame.word(buffer, offset, SESSION),
                PartFrame.transmission(buffer, offset),
                PartFrame.fingerprint(buffer, offset),
                PartFrame.pipeline(buffer, offset),
                new Cycles(
                        PartFrame.cycle(buffer, offset),
                        PartFrame.word(buffer, offset, LAST),
                        PartFrame.word(buffer, offset, HORIZON)),
                BitSet.valueOf(words));
    }

    /** Writes a PAST_NONE frame for a cycle without local data. */
    public static void none(MutableDirectBuffer buffer, int offset, Request request, long cycle) {
        PartFrame.header(
                buffer, offset, PAST_NONE, new PartId(cycle, 0, 0), request.pipeline(), request.number(), 0, 0);
    }
}
