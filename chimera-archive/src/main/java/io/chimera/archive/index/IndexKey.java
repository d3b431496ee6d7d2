package io.chimera.archive.index;

/**
 * One key of an index. Its number is its position in {@link IndexSettings#keys}. An exact key takes hashes and answers whether
 * a value may be in an interval; a range key takes numbers and keeps their least and greatest, on demand also which cells of
 * the domain they fall into and how often the most frequent of them occur (Hyperion 2007, 5.1 and 5.2).
 *
 * @param name for messages and for filters
 * @param kind what it is given
 * @param cellFrom range keys: the value at which the first cell begins
 * @param cellShift range keys: a cell spans 2^cellShift values; what lies outside belongs to the first or the last cell
 * @param cells range keys: number of cells, a multiple of 64; 0 for none
 * @param top range keys: how many of the most frequent values are kept of every interval; 0 for none
 */
public record IndexKey(String name, Kind kind, long cellFrom, int cellShift, int cells, int top) {
    /** The most cells of a key. */
    public static final int CELLS_MAX = 1024;

    /** The most values kept by frequency. */
    public static final int TOP_MAX = 64;

    /** What a key is given. */
    public enum Kind {
        /** Hashes: {@link IndexWriter#add}. */
        EXACT,
        /** Numbers: {@link IndexWriter#addRange}. */
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

    /** A key that is asked for by value. */
    public static IndexKey exact(String name) {
        return new IndexKey(name, Kind.EXACT, 0, 0, 0, 0);
    }

    /** A key that is asked for by range; its least and greatest value are kept. */
    public static IndexKey range(String name) {
        return new IndexKey(name, Kind.RANGE, 0, 0, 0, 0);
    }

    /** The same with so many cells of 2^shift values each from a value on. */
    public IndexKey withCells(long from, int shift, int count) {
        return new IndexKey(name, kind, from, shift, count, top);
    }

    /** The same with so many of the most frequent values. */
    public IndexKey withTop(int values) {
        return new IndexKey(name, kind, cellFrom, cellShift, cells, values);
    }

    /** The cell of a value. */
    int cell(long value) {
        if (value < cellFrom) {
            return 0;
        }
        return (int) Math.min(cells - 1L, (value - cellFrom) >>> cellShift);
    }
}
