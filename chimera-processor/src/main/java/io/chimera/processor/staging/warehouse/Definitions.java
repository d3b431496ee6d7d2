package io.chimera.processor.staging.warehouse;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.common.wire.SeriesHash;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Copies of definitions in cells. Each is kept once, however often and under whichever numbers it comes, so that what is kept
 * does not grow with the number of frames.
 *
 * <pre>
 *   0        4        8       12     16            24                        24 + length
 *   +--------+--------+-------+------+-------------+-------------------------+----------------------
 *   | length | fields | 0     | kind | hash        | the definition          | a byte per field: type
 *   +--------+--------+-------+------+-------------+-------------------------+----------------------
 * </pre>
 *
 * The kind stands where a group has the length of its key, for both are found through one {@link CellTable}.
 */
final class Definitions {
    private static final int LENGTH = 0;
    private static final int FIELDS = 4;
    private static final int KIND = Groups.KEY_LENGTH;
    private static final int HASH = 16;
    private static final int DEFINITION = 24;

    /** Kinds: no length of a key is negative. */
    private static final int SERIES_KIND = -1;

    private static final int FIELDS_KIND = -2;

    /** Names are compared in words, the last of which may reach beyond the definition. */
    private static final int MARGIN = 8;

    /** What of a definition's first word is not its number. */
    private static final long FIRST_WORD_MASK = 0x0000_FFFF_FFFF_FFFFL;

    private final Cells cells;
    private final CellTable table;

    Definitions(Cells cells, CellTable table) {
        this.cells = cells;
        this.table = table;
    }

    /** Cell of a series, a new one at first; NONE when the limit is reached. */
    int keep(SeriesFlyweight series) {
        int found = find(series.keyHash(), SERIES_KIND, series.buffer(), series.offset(), series.length());
        return found == Cells.NONE
                ? add(series.keyHash(), SERIES_KIND, series.buffer(), series.offset(), series.length(), 0)
                : found;
    }

    /** Cell of a set of fields, a new one at first; NONE when the limit is reached. */
    int keep(FieldsFlyweight fields) {
        DirectBuffer source = fields.buffer();
        int offset = fields.offset();
        int length = fields.length();
        int first = BodyLayout.FIRST_FIELD;
        long hash = SeriesHash.of(source, offset + first, length - first);
        int cell = find(hash, FIELDS_KIND, source, offset, length);
        if (cell == Cells.NONE) {
            cell = add(hash, FIELDS_KIND, source, offset, length, fields.count());
            if (cell != Cells.NONE) {
                putTypes(cell, fields);
            }
        }
        return cell;
    }

    private int find(long hash, int kind, DirectBuffer source, int offset, int length) {
        for (int slot = table.find(hash); slot >= 0; slot = table.findAfter(slot, hash)) {
            int cell = table.cell(slot);
            UnsafeBuffer chunk = cells.chunk(cell);
            int at = Cells.offset(cell);
            if (chunk.getInt(at + KIND) == kind && isSame(chunk, at + DEFINITION, source, offset, length)) {
                return cell;
            }
        }
        return Cells.NONE;
    }

    private static boolean isSame(DirectBuffer kept, int keptOffset, DirectBuffer source, int offset, int length) {
        long first = kept.getLong(keptOffset, LITTLE_ENDIAN) ^ source.getLong(offset, LITTLE_ENDIAN);
        if ((first & FIRST_WORD_MASK) != 0) {
            return false; // the length is in the first word
        }
        for (int i = Long.BYTES; i < length; i += Long.BYTES) {
            if (kept.getLong(keptOffset + i) != source.getLong(offset + i)) {
                return false;
            }
        }
        return true;
    }

    private int add(long hash, int kind, DirectBuffer source, int offset, int length, int fields) {
        int cell = cells.allocate(DEFINITION + length + fields + MARGIN);
        if (cell == Cells.NONE || !table.makeRoom()) {
            return cells.full();
        }
        UnsafeBuffer chunk = cells.chunk(cell);
        int at = Cells.offset(cell);
        chunk.putInt(at + LENGTH, length);
        chunk.putInt(at + FIELDS, fields);
        chunk.putInt(at + KIND, kind);
        chunk.putLong(at + HASH, hash);
        chunk.putBytes(at + DEFINITION, source, offset, length);
        table.put(hash, cell);
        return cell;
    }

    private void putTypes(int cell, FieldsFlyweight fields) {
        UnsafeBuffer chunk = cells.chunk(cell);
        int types = types(cell);
        int field = fields.first();
        for (int i = 0; i < fields.count(); i++) {
            chunk.putByte(types + i, (byte) fields.type(field));
            field = fields.next(field);
        }
    }

    /** Index, in its chunk, of the definition in a cell. */
    static int definition(int cell) {
        return Cells.offset(cell) + DEFINITION;
    }

    /** Number of fields in a cell. */
    @HotPath
    int fields(int cell) {
        return cells.chunk(cell).getInt(Cells.offset(cell) + FIELDS);
    }

    /** Index, in its chunk, of the types of the fields in a cell: a byte each. */
    @HotPath
    int types(int cell) {
        int at = Cells.offset(cell);
        return at + DEFINITION + cells.chunk(cell).getInt(at + LENGTH);
    }
}
