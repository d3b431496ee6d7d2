package io.chimera.node.journal.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.queue.journal.retention.PastFile;
import java.nio.ByteOrder;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Record layout of a piece of a journal file. Little-endian:
 *
 * <pre>
 *   0            4     6          8           16           24            32          40          48
 *   +------------+-----+----------+-----------+------------+-------------+-----------+-----------+------ - - -+----
 *   | magic CJF1 | ver | bytes of | place     | bytes of   | bytes of    | begun ms  | written   | name, 0 to | the
 *   |            |     | the name | of piece  | the file   | the cycles  | since 1970| last ms   | 8          | piece
 *   +------------+-----+----------+-----------+------------+-------------+-----------+-----------+------ - - -+----
 * </pre>
 *
 * The pieces of a file are contiguous. The pieces of its cycle information follow, as if both were one file. The file
 * is complete with its last piece. A flyweight; one thread.
 */
final class JournalRecord {
    /** Kind of the streams of journal files. */
    static final String KIND = "journal";

    /** Maximum size of the cycle information of a file: about 100,000 cycles. */
    static final int CYCLES_BYTES_MAX = 16 << 20;

    private static final int MAGIC = 0x31464A43;

    private static final int VERSION = 1;
    private static final int VERSION_AT = 4;
    private static final int NAME_LENGTH_AT = 6;
    private static final int PLACE_AT = 8;
    private static final int FILE_BYTES_AT = 16;
    private static final int CYCLES_BYTES_AT = 24;
    private static final int FIRST_MS_AT = 32;
    private static final int LAST_MS_AT = 40;
    private static final int NAME_AT = 48;

    private DirectBuffer buffer;
    private int length;

    /**
     * Writes the header of a piece.
     *
     * @return offset of the piece
     */
    static int write(MutableDirectBuffer into, PastFile file, long place, long cyclesBytes) {
        byte[] name = file.name().getBytes(UTF_8);
        into.putInt(0, MAGIC, ByteOrder.LITTLE_ENDIAN);
        into.putShort(VERSION_AT, (short) VERSION, ByteOrder.LITTLE_ENDIAN);
        into.putShort(NAME_LENGTH_AT, (short) name.length, ByteOrder.LITTLE_ENDIAN);
        into.putLong(PLACE_AT, place, ByteOrder.LITTLE_ENDIAN);
        into.putLong(FILE_BYTES_AT, file.bytes(), ByteOrder.LITTLE_ENDIAN);
        into.putLong(CYCLES_BYTES_AT, cyclesBytes, ByteOrder.LITTLE_ENDIAN);
        into.putLong(FIRST_MS_AT, file.firstMs(), ByteOrder.LITTLE_ENDIAN);
        into.putLong(LAST_MS_AT, file.lastMs(), ByteOrder.LITTLE_ENDIAN);
        into.putBytes(NAME_AT, name);
        int begin = begin(name.length);
        into.setMemory(NAME_AT + name.length, begin - NAME_AT - name.length, (byte) 0);
        return begin;
    }

    private static int begin(int nameLength) {
        return NAME_AT + BitUtil.align(nameLength, Long.BYTES);
    }

    /**
     * Wraps a record.
     *
     * @throws ChimeraException when the record is no piece of a journal file
     */
    JournalRecord wrap(DirectBuffer record) {
        buffer = record;
        length = record.capacity();
        boolean isOne = length >= NAME_AT
                && record.getInt(0, ByteOrder.LITTLE_ENDIAN) == MAGIC
                && (record.getShort(VERSION_AT, ByteOrder.LITTLE_ENDIAN) & 0xFFFF) == VERSION
                && length >= pieceAt()
                && place() >= 0
                && fileBytes() >= 0
                && cyclesBytes() >= 0
                && cyclesBytes() <= CYCLES_BYTES_MAX
                && place() + pieceBytes() <= fileBytes() + cyclesBytes()
                && (place() >= fileBytes() || place() + pieceBytes() <= fileBytes());
        if (!isOne) {
            throw new ChimeraException(
                    Category.ERROR, "A record of " + length + " bytes is no journal file piece of a known version.");
        }
        return this;
    }

    /** Returns the file name with the folder of its start, as in {@code PastFile}. */
    String name() {
        byte[] bytes = new byte[nameLength()];
        buffer.getBytes(NAME_AT, bytes);
        return new String(bytes, UTF_8);
    }

    private int nameLength() {
        return buffer.getShort(NAME_LENGTH_AT, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Returns the offset of the piece. Offsets from {@link #fileBytes} on belong to the cycle information. */
    long place() {
        return buffer.getLong(PLACE_AT, ByteOrder.LITTLE_ENDIAN);
    }

    long fileBytes() {
        return buffer.getLong(FILE_BYTES_AT, ByteOrder.LITTLE_ENDIAN);
    }

    long cyclesBytes() {
        return buffer.getLong(CYCLES_BYTES_AT, ByteOrder.LITTLE_ENDIAN);
    }

    /** Whether the piece belongs to a file. */
    boolean isOf(String name, long fileBytes, long cyclesBytes) {
        return fileBytes() == fileBytes && cyclesBytes() == cyclesBytes && name().equals(name);
    }

    /** Returns the creation time of the file, ms since 1970. */
    long firstMs() {
        return buffer.getLong(FIRST_MS_AT, ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the time of the last write to the file, ms since 1970. */
    long lastMs() {
        return buffer.getLong(LAST_MS_AT, ByteOrder.LITTLE_ENDIAN);
    }

    DirectBuffer buffer() {
        return buffer;
    }

    /** Returns the offset of the piece in the record. */
    int pieceAt() {
        return begin(nameLength());
    }

    int pieceBytes() {
        return length - pieceAt();
    }

    /** Whether the file is complete with this piece. */
    boolean isLast() {
        return place() + pieceBytes() == fileBytes() + cyclesBytes();
    }
}
