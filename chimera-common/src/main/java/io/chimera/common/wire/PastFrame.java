package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.BitSet;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Frames by which a processor gets past cycles from a queue node, to build the state of a composition anew. Their header is that of
 * {@link PartFrame}; the number of the request stands where that of a transmission does, and there is no shard.
 *
 * <pre>
 *   PAST       processor to queue node  send the first of the cycles from this one on that is less than a horizon before the
 *                                       last; replaces what was asked before for the pipeline. count = bytes of the body: u64
 *                                       session of the processor, u64 last cycle, u64 horizon (ms), a bit for each partition
 *   PAST_DATA  queue node to processor  as DATA, of the partitions wanted
 *   PAST_END   queue node to processor  index = number of PAST_DATA frames of the part, count = number of parts of the cycle;
 *                                       body = u64 primary records, u64 time of the cycle (ms), u64 copies, u64 checksum,
 *                                       u64 clock that lateness is judged by (ms)
 *   PAST_NONE  queue node to processor  the cycles ahead of this one are older than the horizon, and this one is not here
 * </pre>
 */
public final class PastFrame {
    /** Asks for a past cycle. The numbers go on behind those of {@link ReplicationFrame}. */
    public static final int PAST = 10;
    /** Records of a part of a past cycle. */
    public static final int PAST_DATA = 11;
    /** A part of a past cycle is complete; those of all parts come, in their order, when all their data has come. */
    public static final int PAST_END = 12;
    /** The node has nothing to send. */
    public static final int PAST_NONE = 13;

    /** Bytes of a PAST_END frame. */
    public static final int END_LENGTH = PartFrame.END_LENGTH + 8;
    /** Bytes of a PAST_NONE frame. */
    public static final int NONE_LENGTH = PartFrame.HEADER_LENGTH;

    /** The most partitions that a pipeline may have. */
    public static final int PARTITIONS_MAX = 4096;

    /** The most bytes of a PAST frame. */
    public static final int LENGTH_MAX = PartFrame.HEADER_LENGTH + 24 + PARTITIONS_MAX / 8;

    private static final int SESSION = 0;
    private static final int LAST = 1;
    private static final int HORIZON = 2;
    private static final int PARTITIONS = PartFrame.HEADER_LENGTH + 24;

    private static final int END_TIME = 1;
    private static final int END_CLOCK = 4;

    private PastFrame() {}

    /** Writes the times of the cycle into a PAST_END frame. */
    public static void times(MutableDirectBuffer end, long rowsMs, long clockMs) {
        PartFrame.word(end, 0, END_TIME, rowsMs);
        PartFrame.word(end, 0, END_CLOCK, clockMs);
    }

    /** Reads the time stamp of the rows of the cycle from a PAST_END frame. */
    public static long rowsMs(DirectBuffer end) {
        return PartFrame.word(end, 0, END_TIME);
    }

    /** Reads the clock that lateness is judged by from a PAST_END frame. */
    public static long clockMs(DirectBuffer end) {
        return PartFrame.word(end, 0, END_CLOCK);
    }

    /**
     * What a processor asks for.
     *
     * @param processor its session
     * @param number of the request; an answer names it
     * @param fingerprint of the digest of the pipelines; 0 is the fingerprint of none
     * @param pipeline ordinal of the pipeline among these
     * @param first number of the first cycle that may be sent
     * @param last number of the last
     * @param horizonMs cycles whose time is that much before the time of the last, or more, are not wanted
     * @param partitions of the keys, those wanted
     */
    public record Request(
            long processor,
            int number,
            int fingerprint,
            int pipeline,
            long first,
            long last,
            long horizonMs,
            BitSet partitions) {}

    /**
     * Writes a request.
     *
     * @return its length
     */
    public static int encode(MutableDirectBuffer buffer, int offset, Request request) {
        long[] words = request.partitions().toLongArray();
        int bytes = 24 + 8 * words.length;
        PartFrame.header(buffer, offset, PAST, request.first(), 0, 0, request.pipeline(), request.number(), 0, bytes);
        PartFrame.fingerprint(buffer, offset, request.fingerprint());
        PartFrame.word(buffer, offset, SESSION, request.processor());
        PartFrame.word(buffer, offset, LAST, request.last());
        PartFrame.word(buffer, offset, HORIZON, request.horizonMs());
        for (int i = 0; i < words.length; i++) {
            buffer.putLong(offset + PARTITIONS + 8 * i, words[i], LITTLE_ENDIAN);
        }
        return PartFrame.HEADER_LENGTH + bytes;
    }

    /**
     * Reads a request.
     *
     * @return null when it is none
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
                PartFrame.cycle(buffer, offset),
                PartFrame.word(buffer, offset, LAST),
                PartFrame.word(buffer, offset, HORIZON),
                BitSet.valueOf(words));
    }

    /** Writes that there is nothing to send, but for a cycle that is not here. */
    public static void none(MutableDirectBuffer buffer, int offset, Request request, long cycle) {
        PartFrame.header(buffer, offset, PAST_NONE, cycle, 0, 0, request.pipeline(), request.number(), 0, 0);
    }
}
