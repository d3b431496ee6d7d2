package io.chimera.processor.staging.warehouse;

import io.chimera.common.wire.SeriesHash;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The names of fields in cells, each once, so that two names are equal when their cells are: however many sets of fields
 * there are, and in whatever order, what they are called by is kept once.
 *
 * <pre>
 *   0        4       12     16
 *   +--------+-------+------+---------------+
 *   | length | 0     | kind | name          |
 *   +--------+-------+------+---------------+
 * </pre>
 *
 * The kind stands where a group has the length of its key, for both are found through one {@link CellTable}.
 */
final class Names {
    private static final int LENGTH = 0;
    private static final int KIND = Groups.KEY_LENGTH;
    private static final int NAME = 16;

    /** No length of a key is negative. */
    private static final int NAME_KIND = -1;

    /** Names are compared in words, the last of which may reach beyond the name. */
    private static final int MARGIN = 8;

    private final Cells cells;
    private final CellTable table;

    Names(Cells cells, CellTable table) {
        this.cells = cells;
        this.table = table;
    }

    /** Cell of a name, a new one at first; NONE when the limit is reached. */
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

    /** Whether a cell holds a name. */
    boolean isEqual(int cell, DirectBuffer source, int offset, int length) {
        return length(cell) == length
                && ByteRanges.areEqual(source, offset, cells.chunk(cell), Cells.offset(cell) + NAME, length);
    }

    /** Bytes of a name. */
    int length(int cell) {
        return cells.chunk(cell).getInt(Cells.offset(cell) + LENGTH);
    }

    /** Index of a name in its chunk. */
    static int offset(int cell) {
        return Cells.offset(cell) + NAME;
    }
}
