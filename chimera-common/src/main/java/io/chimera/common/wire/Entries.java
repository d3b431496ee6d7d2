package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** The first word of an entry; see {@link BodyLayout}. */
public final class Entries {
    private Entries() {}

    /**
     * What an entry is.
     *
     * @return {@link BodyLayout#RECORD}, SERIES, FIELDS, RESET, PARTIAL, or something unknown
     */
    @HotPath
    public static int kind(DirectBuffer buffer, int offset) {
        return buffer.getInt(offset, LITTLE_ENDIAN) & BodyLayout.KIND_MASK;
    }

    /** Bytes of an entry; anything at all where it was not checked, negative too. */
    @HotPath
    public static int length(DirectBuffer buffer, int offset) {
        return buffer.getInt(offset, LITTLE_ENDIAN) & ~BodyLayout.KIND_MASK;
    }

    /** Whether an entry of the kind RESET is whole. */
    @HotPath
    public static boolean isReset(DirectBuffer buffer, int offset) {
        return length(buffer, offset) == BodyLayout.RESET_LENGTH;
    }

    /** Writes the entry that forgets all definitions. */
    @HotPath
    public static void putReset(MutableDirectBuffer buffer, int offset) {
        buffer.putLong(offset, BodyLayout.RESET_LENGTH | BodyLayout.RESET, LITTLE_ENDIAN);
    }

    /** Gives a definition that is in place another number. */
    @HotPath
    public static void number(MutableDirectBuffer buffer, int offset, int number) {
        buffer.putShort(offset + BodyLayout.DEFINITION_NUMBER, (short) number, LITTLE_ENDIAN);
    }
}
