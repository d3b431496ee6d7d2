package io.chimera.archive.index.key;

/**
 * Key of an index; its number is its position in the settings of the index. An exact key stores hashes and tells
 * whether an interval may contain a value. A range key stores numbers as minimum and maximum, optionally with the
 * occupied cells of the domain and the counts of the most frequent values (Hyperion 2007, 5.1 and 5.2).
 *
 * @param name name for messages and filters
 * @param kind kind of the values
 * @param cellFrom range keys: start of the first cell
 * @param cellShift range keys: a cell covers 2^cellShift values; values outside belong to the first or the last cell
 * @param cells range keys: number of cells, a multiple of 64; 0 for none
 * @param top range keys: number of most frequent values kept per interval; 0 for none
 */
public record IndexKey(String name, Kind kind, long cellFrom, int cellShift, int cells, int top) {
    /** Maximum cells of a key. */
    public static final int CELLS_MAX = 1024;

    /** Maximum number of most frequent values. */
    public static final int TOP_MAX = 64;

    /** Kind of the values of a key. */
    public enum Kind {
        /** Hashes of the items' values. */
        EXACT,
        /** Numbers, searched by range. */
        RANGE
    }

    /** Checks the bounds. */
    public IndexKey {
        if (name.isBlank()) {
            throw new IllegalArgumentException("A key of an index needs a name.");
        }
        boolean isBounded = cells >= 0 && cells <= CELLS_MAX && cells % Long.SIZE == 0 && top >= 0 && top <= TOP_MAX;
        if (!isBounded || cellShift < 0 || cellShift >= Long.SIZE) {
            throw new IllegalArgumentException("Key " + name + ": cells must be a multiple of 64 up to " + CELLS_MAX
                    + ", their shift 0 to 63, and top 0 to " + TOP_MAX + ".");
        }
        if (kind == Kind.EXACT && (cells > 0 || top > 0)) {
            throw new IllegalArgumentException(
                    "Key " + name + ": only a range key has cells and most frequent values.");
        }
    }

    /** Creates a key for probes by value. */
    public static IndexKey exact(String name) {
        return new IndexKey(name, Kind.EXACT, 0, 0, 0, 0);
    }

    /** Creates a key for probes by range, with minimum and maximum. */
    public static IndexKey range(String name) {
        return new IndexKey(name, Kind.RANGE, 0, 0, 0, 0);
    }

    /** Returns a copy with cells of 2^shift values each, starting at a value. */
    public IndexKey withCells(long from, int shift, int count) {
        return new IndexKey(name, kind, from, shift, count, top);
    }

    /** Returns a copy with a number of most frequent values. */
    public IndexKey withTop(int values) {
        return new IndexKey(name, kind, cellFrom, cellShift, cells, values);
    }

    /** Returns the cell of a value. */
    int cell(long value) {
        if (value < cellFrom) {
            return 0;
        }
        return (int) Math.min(cells - 1L, (value - cellFrom) >>> cellShift);
    }
}
