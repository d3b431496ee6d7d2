package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Reads a partial, the pre-aggregate of records of one series and field set, in place; see {@link BodyLayout}.
 * Allocates nothing.
 */
public final class PartialFlyweight extends EntryFlyweight {
    /** Creates a flyweight without a buffer. */
    public PartialFlyweight() {}

    /**
     * Wraps this flyweight over unchecked bytes.
     *
     * @param source holds the bytes
     * @param start index of the first byte
     * @return this
     */
    @HotPath
    public PartialFlyweight wrap(DirectBuffer source, int start) {
        lay(source, start);
        return this;
    }

    /**
     * Returns whether the bytes under this flyweight begin with a valid partial header. A valid header permits reading
     * everything except the blocks.
     *
     * @param available bytes from the start to the end of the received data
     */
    public boolean hasHeader(int available) {
        return available >= BodyLayout.PARTIAL_BLOCKS
                && Entries.kind(buffer, offset) == BodyLayout.PARTIAL
                && length() >= BodyLayout.PARTIAL_BLOCKS
                && length() <= available
                && records() > 0
                && primary() >= 0
                && primary() <= records();
    }

    /** Returns whether a partial with a valid header has one block for each of {@code fieldCount} fields. */
    public boolean isWhole(int fieldCount) {
        return length() == lengthOf(fieldCount);
    }

    /** Length in bytes of a partial with {@code fieldCount} fields. */
    public static int lengthOf(int fieldCount) {
        return BodyLayout.PARTIAL_BLOCKS + AggregateBlock.LENGTH * fieldCount;
    }

    /** Number of the series. */
    public int series() {
        return buffer.getShort(offset + BodyLayout.RECORD_SERIES, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Number of the field set. */
    public int fields() {
        return buffer.getShort(offset + BodyLayout.RECORD_FIELDS, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Sum of {@link PartFrame#recordChecksum} over the records. */
    public long checksum() {
        return buffer.getLong(offset + BodyLayout.PARTIAL_CHECKSUM, LITTLE_ENDIAN);
    }

    /** Number of records. */
    public int records() {
        return buffer.getInt(offset + BodyLayout.PARTIAL_RECORDS, LITTLE_ENDIAN);
    }

    /** Number of primary records; the accounts of the cycle count only primary records. */
    public int primary() {
        return buffer.getInt(offset + BodyLayout.PARTIAL_PRIMARY, LITTLE_ENDIAN);
    }

    /** Copies the aggregate block of the n-th field. */
    public void block(int n, MutableDirectBuffer into, int at) {
        int block = offset + BodyLayout.PARTIAL_BLOCKS + AggregateBlock.LENGTH * n;
        for (int word = 0; word < AggregateBlock.LENGTH; word += Long.BYTES) {
            into.putLong(at + word, buffer.getLong(block + word, LITTLE_ENDIAN));
        }
    }

    /**
     * Writes a partial.
     *
     * @param to target buffer
     * @param at index of the first byte in the target buffer
     * @param blocks one block per field, in the machine's byte order
     */
    public static void put(
            MutableDirectBuffer to,
            int at,
            int series,
            int fields,
            int records,
            int primary,
            long checksum,
            int fieldCount,
            DirectBuffer blocks) {
        to.putInt(at, lengthOf(fieldCount) | BodyLayout.PARTIAL, LITTLE_ENDIAN);
        Entries.references(to, at, fields, series);
        to.putLong(at + BodyLayout.PARTIAL_CHECKSUM, checksum, LITTLE_ENDIAN);
        to.putInt(at + BodyLayout.PARTIAL_RECORDS, records, LITTLE_ENDIAN);
        to.putInt(at + BodyLayout.PARTIAL_PRIMARY, primary, LITTLE_ENDIAN);
        for (int word = 0; word < AggregateBlock.LENGTH * fieldCount; word += Long.BYTES) {
            to.putLong(at + BodyLayout.PARTIAL_BLOCKS + word, blocks.getLong(word), LITTLE_ENDIAN);
        }
    }
}
