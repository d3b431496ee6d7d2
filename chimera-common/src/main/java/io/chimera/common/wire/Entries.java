package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Accesses the first word of an entry; see {@link BodyLayout}. */
public final class Entries {
    private Entries() {}

    /**
     * Returns the kind of an entry.
     *
     * @return {@link BodyLayout#RECORD}, SERIES, FIELDS, RESET, PARTIAL, or an unknown kind
     */
    @HotPath
    public static int kind(DirectBuffer buffer, int offset) {
        return buffer.getInt(offset, LITTLE_ENDIAN) & BodyLayout.KIND_MASK;
    }

    /** Length of an entry in bytes. The value of an unchecked entry is arbitrary and may be negative. */
    @HotPath
    public static int length(DirectBuffer buffer, int offset) {
        return buffer.getInt(offset, LITTLE_ENDIAN) & ~BodyLayout.KIND_MASK;
    }

    /** Returns whether an entry of kind RESET has a valid length. */
    @HotPath
    public static boolean isReset(DirectBuffer buffer, int offset) {
        return length(buffer, offset) == BodyLayout.RESET_LENGTH;
    }

    /** Writes a RESET entry. */
    @HotPath
    public static void putReset(MutableDirectBuffer buffer, int offset) {
        buffer.putLong(offset, BodyLayout.RESET_LENGTH | BodyLayout.RESET, LITTLE_ENDIAN);
    }

    /** Sets the numbers of field set and series of a record or partial in the buffer. */
    @HotPath
    public static void references(MutableDirectBuffer buffer, int offset, int fields, int series) {
        buffer.putShort(offset + BodyLayout.RECORD_FIELDS, (short) fields, LITTLE_ENDIAN);
        buffer.putShort(offset + BodyLayout.RECORD_SERIES, (short) series, LITTLE_ENDIAN);
    }

    /** Sets the number of a definition in the buffer. */
    @HotPath
    public static void number(MutableDirectBuffer buffer, int offset, int number) {
        buffer.putShort(offset + BodyLayout.DEFINITION_NUMBER, (short) number, LITTLE_ENDIAN);
    }
}
