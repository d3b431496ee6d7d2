package io.chimera.archive.query.interval;

import io.chimera.api.HotPath;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Header of every record of a data stream, independent of the kind. Little-endian:
 *
 * <pre>
 *   0            4     6     8        12       16              24              32
 *   +------------+-----+-----+--------+--------+---------------+---------------+
 *   | magic      | ver | word| items  | bytes  | first time ns | last time ns  |    bytes: of the whole record
 *   +------------+-----+-----+--------+--------+---------------+---------------+    first, last: least, greatest time
 * </pre>
 *
 * <p>The kind, named by the magic number, defines the word.
 *
 * @param magic four letters of the kind
 * @param version version of the layout
 * @param what name of the record content, for messages
 */
public record IntervalHeader(int magic, int version, String what) {
    private static final int VERSION_AT = 4;
    private static final int WORD_AT = 6;
    private static final int ITEMS_AT = 8;
    private static final int BYTES_AT = 12;
    private static final int FIRST_NS_AT = 16;
    private static final int LAST_NS_AT = 24;

    /** Length of the header in bytes. */
    public static final int BYTES = 32;

    /**
     * Checks the header of a record.
     *
     * @param recordBytes length of the record
     * @throws ChimeraException when the record has another kind, version or length
     */
    public void check(DirectBuffer from, int offset, int recordBytes) {
        if (recordBytes < BYTES || from.getInt(offset, ByteOrder.LITTLE_ENDIAN) != magic) {
            throw damaged("A record of " + recordBytes + " bytes does not have the header of " + what
                    + "; it may belong to another stream.");
        }
        int found = from.getShort(offset + VERSION_AT, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
        if (found != version) {
            throw damaged("These " + what + " were archived by another version of Chimera: layout " + found
                    + ", supported is " + version + ".");
        }
        int bytes = from.getInt(offset + BYTES_AT, ByteOrder.LITTLE_ENDIAN);
        if (bytes != recordBytes) {
            throw damaged("A record of " + recordBytes + " bytes states a length of " + bytes + ".");
        }
    }

    private static ChimeraException damaged(String message) {
        return new ChimeraException(Category.ERROR, message);
    }

    /** Writes the header at the start of a record. */
    @HotPath
    public void write(MutableDirectBuffer into, int word, int items, int bytes, long firstNs, long lastNs) {
        into.putInt(0, magic, ByteOrder.LITTLE_ENDIAN);
        into.putShort(VERSION_AT, (short) version, ByteOrder.LITTLE_ENDIAN);
        into.putShort(WORD_AT, (short) word, ByteOrder.LITTLE_ENDIAN);
        into.putInt(ITEMS_AT, items, ByteOrder.LITTLE_ENDIAN);
        into.putInt(BYTES_AT, bytes, ByteOrder.LITTLE_ENDIAN);
        into.putLong(FIRST_NS_AT, firstNs, ByteOrder.LITTLE_ENDIAN);
        into.putLong(LAST_NS_AT, lastNs, ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the word defined by the kind; u16. */
    public static int word(DirectBuffer from, int offset) {
        return from.getShort(offset + WORD_AT, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    public static int items(DirectBuffer from, int offset) {
        return from.getInt(offset + ITEMS_AT, ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the least time of an item, ns since 1970. */
    public static long firstNs(DirectBuffer from, int offset) {
        return from.getLong(offset + FIRST_NS_AT, ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the greatest time of an item, ns since 1970. */
    public static long lastNs(DirectBuffer from, int offset) {
        return from.getLong(offset + LAST_NS_AT, ByteOrder.LITTLE_ENDIAN);
    }
}
