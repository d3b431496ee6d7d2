package io.chimera.processor.staging.warehouse;

import io.chimera.common.wire.SeriesHash;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Names of fields in cells. Every name is stored once, whatever the number and order of the sets of fields, so names
 * are equal if and only if their cells are equal.
 *
 * <pre>
 *   0        4       12     16
 *   +--------+-------+------+---------------+
 *   | length | 0     | kind | name          |
 *   +--------+-------+------+---------------+
 * </pre>
 *
 * <p>The kind is at the same offset as the key length of a group, because a single {@link CellTable} finds both.
 */
final class Names {
    private static final int LENGTH = 0;
    private static final int KIND = Groups.KEY_LENGTH;
    private static final int NAME = 16;

    /** Kind of a name; the length of a key is never negative. */
    private static final int NAME_KIND = -1;

    /** Names are compared in words; the last word may extend beyond the name. */
    private static final int MARGIN = 8;

    private final Cells cells;
    private final CellTable table;

    Names(Cells cells, CellTable table) {
        this.cells = cells;
        this.table = table;
    }

    /** Returns the cell of a name, stored if new; NONE when the limit is reached. */
    int of(DirectBuffer source, int offset, int length) {
        long hash = SeriesHash.of(source, offset, length);
        for (int slot = table.find(hash); slot >= 0; slot = table.findAfter(slot, hash)) {
            int cell = table.cell(slot);
            if (cells.chunk(cell).getInt(Cells.offset(cell) + KIND) == NAME_KIND
                    && isEqual(cell, source, offset, length)) {
                return cell;
            }
        }
        return add(hash, source, offset, length);
    }

    private int add(long hash, DirectBuffer source, int offset, int length) {
        int cell = cells.allocate(NAME + length + MARGIN);
        if (cell == Cells.NONE || !table.makeRoom()) {
            return cells.full();
        }
        UnsafeBuffer chunk = cells.chunk(cell);
        int at = Cells.offset(cell);
        chunk.putInt(at + LENGTH, length);
        chunk.putInt(at + KIND, NAME_KIND);
        chunk.putBytes(at + NAME, source, offset, length);
        table.put(hash, cell);
        return cell;
    }

    /** Returns whether a cell contains a name. */
    boolean isEqual(int cell, DirectBuffer source, int offset, int length) {
        return length(cell) == length
                && ByteRanges.areEqual(source, offset, cells.chunk(cell), Cells.offset(cell) + NAME, length);
    }

    /** Returns the length of a name in bytes. */
    int length(int cell) {
        return cells.chunk(cell).getInt(Cells.offset(cell) + LENGTH);
    }

    /** Returns the index of a name in its chunk. */
    static int offset(int cell) {
        return Cells.offset(cell) + NAME;
    }
}
