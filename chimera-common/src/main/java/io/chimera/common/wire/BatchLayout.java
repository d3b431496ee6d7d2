package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Layout of a batch: records of one stream with consecutive sequence numbers. The batch is the unit of movement between
 * ring, journal and peers. Little-endian.
 *
 * <pre>
 *   0        4        8                 16                 24       28       32
 *   +--------+--------+-----------------+------------------+--------+--------+---------+
 *   | length | crc32c | stream          | first sequence   | count  | 0      | body    |
 *   +--------+--------+-----------------+------------------+--------+--------+---------+
 *                     |-------------- the CRC covers bytes 8 to length ----------------|
 * </pre>
 *
 * <p>{@link BodyLayout} describes the body. The count covers only the records. The n-th record (n from 0) has the
 * sequence number first + n; the first record of a stream has number 1.
 */
public final class BatchLayout {
    /** Length of the whole batch in bytes, header included: u32. */
    public static final int LENGTH = 0;
    /** CRC32C of bytes 8 to length: u32. */
    public static final int CRC = 4;
    /** Stream: u64, never 0. */
    public static final int STREAM = 8;
    /** Sequence number of the first record: i64, at least 1. */
    public static final int FIRST_SEQ = 16;
    /** Number of records: u32, at least 1. */
    public static final int COUNT = 24;
    /** Length of the header; the body begins here. */
    public static final int HEADER_LENGTH = 32;

    /**
     * Maximum length of a batch in bytes. A request with 3,000 points of 1,000 series fits in one batch, so the batch
     * defines each series only once. A frame with a batch and the frame header stays below the frame limit of 1 MiB.
     */
    public static final int LENGTH_MAX = 768 << 10;

    private BatchLayout() {}

    /** Writes the header and the checksum of a batch; the body must already be in place. */
    public static void seal(
            MutableDirectBuffer buffer, int offset, int length, long stream, long firstSeq, int count, CRC32C crc) {
        buffer.putInt(offset + LENGTH, length, LITTLE_ENDIAN);
        buffer.putLong(offset + STREAM, stream, LITTLE_ENDIAN);
        buffer.putLong(offset + FIRST_SEQ, firstSeq, LITTLE_ENDIAN);
        buffer.putInt(offset + COUNT, count, LITTLE_ENDIAN);
        buffer.putInt(offset + COUNT + 4, 0, LITTLE_ENDIAN);
        buffer.putInt(offset + CRC, crcOf(buffer, offset, length, crc), LITTLE_ENDIAN);
    }

    /**
     * Returns whether a batch with a valid header and checksum begins at the offset. This check suffices for batches
     * written by this node or verified earlier with {@link #isWhole}.
     *
     * @param available bytes from the offset to the end of the received data
     */
    public static boolean isIntact(DirectBuffer buffer, int offset, int available, CRC32C crc) {
        if (available < HEADER_LENGTH) {
            return false;
        }
        int length = length(buffer, offset);
        if (length < HEADER_LENGTH || length > available || length > LENGTH_MAX || stream(buffer, offset) == 0) {
            return false;
        }
        int count = count(buffer, offset);
        long first = firstSeq(buffer, offset);
        return count > 0
                && first > 0
                && first <= Long.MAX_VALUE - count
                && buffer.getInt(offset + CRC, LITTLE_ENDIAN) == crcOf(buffer, offset, length, crc);
    }

    /**
     * Returns whether an intact batch with a valid body begins at the offset. The receiver of a batch runs this check
     * once.
     *
     * @param available bytes from the offset to the end of the received data
     */
    public static boolean isWhole(DirectBuffer buffer, int offset, int available, CRC32C crc, BodyReader body) {
        return isIntact(buffer, offset, available, crc) && hasSoundBody(buffer, offset, body);
    }

    /** Returns whether the body of an intact batch is valid and its number of records equals the header's count. */
    public static boolean hasSoundBody(DirectBuffer buffer, int offset, BodyReader body) {
        return recordsOf(body.wrapBatch(buffer, offset)) == count(buffer, offset);
    }

    /** Returns the number of records in a body, or -1 for an invalid body. */
    private static int recordsOf(BodyReader body) {
        int count = 0;
        int kind = body.step();
        while (kind >= 0) {
            count += kind == BodyLayout.RECORD ? 1 : 0;
            kind = body.step();
        }
        return kind == BodyReader.END ? count : -1;
    }

    /** Length in bytes of the batch at the offset. */
    public static int length(DirectBuffer buffer, int offset) {
        return buffer.getInt(offset + LENGTH, LITTLE_ENDIAN);
    }

    /** Stream of the batch at the offset. */
    public static long stream(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + STREAM, LITTLE_ENDIAN);
    }

    /** Sequence number of the first record of the batch at the offset. */
    public static long firstSeq(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + FIRST_SEQ, LITTLE_ENDIAN);
    }

    /** Number of records in the batch at the offset. */
    public static int count(DirectBuffer buffer, int offset) {
        return buffer.getInt(offset + COUNT, LITTLE_ENDIAN);
    }

    private static int crcOf(DirectBuffer buffer, int offset, int length, CRC32C crc) {
        return Checksums.crc32c(crc, buffer, offset + STREAM, length - STREAM);
    }
}
