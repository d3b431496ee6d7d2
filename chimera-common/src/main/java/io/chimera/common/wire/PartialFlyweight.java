package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Reads records of one series and set of fields that were put together; see {@link BodyLayout}. Allocates nothing. */
public final class PartialFlyweight extends EntryFlyweight {
    /** A flyweight over nothing yet. */
    public PartialFlyweight() {}

    /**
     * Lays this flyweight over bytes that may be such an entry.
     *
     * @param source holds it
     * @param start index of its first byte
     * @return this
     */
    @HotPath
    public PartialFlyweight wrap(DirectBuffer source, int start) {
        lay(source, start);
        return this;
    }

    /**
     * Whether the bytes under this flyweight begin as such an entry does, so that all but the blocks may be read.
     *
     * @param available bytes from its start to the end of what was received
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

    /** Whether an entry that {@link #hasHeader} has a block for each of so many fields. */
    public boolean isWhole(int fieldCount) {
        return length() == lengthOf(fieldCount);
    }

    /** Bytes of an entry of so many fields. */
    public static int lengthOf(int fieldCount) {
        return BodyLayout.PARTIAL_BLOCKS + AggregateBlock.LENGTH * fieldCount;
    }

    /** Number of the series. */
    public int series() {
        return buffer.getShort(offset + BodyLayout.RECORD_SERIES, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Number of the set of fields. */
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

    /** How many of them the accounts of the cycle count. */
    public int primary() {
        return buffer.getInt(offset + BodyLayout.PARTIAL_PRIMARY, LITTLE_ENDIAN);
    }

    /** Copies what was aggregated of the n-th field. */
    public void block(int n, MutableDirectBuffer into, int at) {
        int block = offset + BodyLayout.PARTIAL_BLOCKS + AggregateBlock.LENGTH * n;
        for (int word = 0; word < AggregateBlock.LENGTH; word += Long.BYTES) {
            into.putLong(at + word, buffer.getLong(block + word, LITTLE_ENDIAN));
        }
    }

    /**
     * Writes an entry.
     *
     * @param to where, at index {@code at}
     * @param blocks one for each field, in the machine's byte order
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
        to.putShort(at + BodyLayout.RECORD_FIELDS, (short) fields, LITTLE_ENDIAN);
        to.putShort(at + BodyLayout.RECORD_SERIES, (short) series, LITTLE_ENDIAN);
        to.putLong(at + BodyLayout.PARTIAL_CHECKSUM, checksum, LITTLE_ENDIAN);
        to.putInt(at + BodyLayout.PARTIAL_RECORDS, records, LITTLE_ENDIAN);
        to.putInt(at + BodyLayout.PARTIAL_PRIMARY, primary, LITTLE_ENDIAN);
        for (int word = 0; word < AggregateBlock.LENGTH * fieldCount; word += Long.BYTES) {
            to.putLong(at + BodyLayout.PARTIAL_BLOCKS + word, blocks.getLong(word), LITTLE_ENDIAN);
        }
    }
}
