package io.chimera.processor.staging.warehouse;

import io.chimera.api.HotPath;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Copies of the definitions of a transmission, series and sets of fields, in cells that are released with the
 * transmission.
 *
 * <pre>
 *           0        4        8       12      16               16 + length
 *           +--------+--------+-------+-------+----------------+----------------------
 *   set     | length | fields | names | dist. | the definition | a byte per field: type
 *           +--------+--------+-------+-------+----------------+----------------------
 *   series                                    | the definition |
 *                                             +----------------+
 *   names   a cell of Names per field
 * </pre>
 *
 * <p>The names of a set are looked up for the first record of the set. {@code dist.} is 1 when all names are known to
 * be different.
 */
public final class Definitions {
    /**
     * Maximum length of a definition in bytes. Next to the copy, a chunk contains a byte for each field, and the
     * definition of a field has at least 4 bytes. 64 KiB of text, the maximum admitted by a source, give a definition
     * of at most 80 KiB. A key is shorter than the definition of its series.
     */
    public static final int LENGTH_MAX = 100 << 10;

    private static final int LENGTH = 0;
    private static final int FIELDS = 4;
    private static final int NAMES = 8;
    private static final int DISTINCT = 12;
    private static final int DEFINITION = 16;

    /**
     * Maximum number of fields compared pairwise. In larger sets, names are compared for every group instead of once
     * per set.
     */
    private static final int COMPARED_MAX = 1024;

    /** Names are compared in words; the last word may extend beyond the definition. */
    private static final int MARGIN = 8;

    private final Cells cells;
    private final Names names;
    private final FieldsFlyweight fields = new FieldsFlyweight();

    /**
     * Creates an empty set of definitions.
     *
     * @param cells for the copies
     * @param names names of fields, which outlive the definitions
     */
    Definitions(Cells cells, Names names) {
        this.cells = cells;
        this.names = names;
    }

    /** Copies a whole series, of at most {@link #LENGTH_MAX}, and returns its number; NONE when the limit is reached. */
    public int keep(SeriesFlyweight series) {
        return copy(series.buffer(), series.offset(), series.length(), 0);
    }

    /**
     * Copies a whole set of fields, of at most {@link #LENGTH_MAX}, and returns its number; NONE when the limit is
     * reached.
     */
    public int keep(FieldsFlyweight set) {
        int cell = copy(set.buffer(), set.offset(), set.length(), set.count());
        if (cell != Cells.NONE) {
            UnsafeBuffer chunk = cells.chunk(cell);
            int types = types(cell);
            int field = set.first();
            for (int i = 0; i < set.count(); i++) {
                chunk.putByte(types + i, (byte) set.type(field));
                field = set.next(field);
            }
        }
        return cell;
    }

    private int copy(DirectBuffer source, int offset, int length, int count) {
        int cell = cells.allocate(DEFINITION + length + count + MARGIN);
        if (cell != Cells.NONE) {
            UnsafeBuffer chunk = cells.chunk(cell);
            int at = Cells.offset(cell);
            chunk.putInt(at + LENGTH, length);
            chunk.putInt(at + FIELDS, count);
            chunk.putInt(at + NAMES, Cells.NONE);
            chunk.putInt(at + DISTINCT, 0);
            chunk.putBytes(at + DEFINITION, source, offset, length);
        }
        return cell;
    }

    /** Returns the cell with the names of a set of fields, 4 bytes each in order; NONE when the limit is reached. */
    int names(int set) {
        int found = cells.chunk(set).getInt(Cells.offset(set) + NAMES);
        return found == Cells.NONE ? findNames(set) : found;
    }

    private int findNames(int set) {
        int count = fields(set);
        int found = cells.allocate(4 * count);
        if (found == Cells.NONE) {
            return Cells.NONE;
        }
        fields.wrap(cells.chunk(set), definition(set));
        int field = fields.first();
        for (int i = 0; i < count; i++) {
            int name = names.of(fields.buffer(), fields.name(field), fields.nameLength(field));
            if (name == Cells.NONE) {
                return Cells.NONE;
            }
            cells.chunk(found).putInt(Cells.offset(found) + 4 * i, name);
            field = fields.next(field);
        }
        UnsafeBuffer chunk = cells.chunk(set);
        chunk.putInt(Cells.offset(set) + NAMES, found);
        chunk.putInt(Cells.offset(set) + DISTINCT, areDistinct(found, count) ? 1 : 0);
        return found;
    }

    private boolean areDistinct(int found, int count) {
        if (count > COMPARED_MAX) {
            return false;
        }
        UnsafeBuffer chunk = cells.chunk(found);
        int first = Cells.offset(found);
        for (int i = 1; i < count; i++) {
            for (int j = 0; j < i; j++) {
                if (chunk.getInt(first + 4 * i) == chunk.getInt(first + 4 * j)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns the buffer with the copy of a definition. */
    public DirectBuffer buffer(int seriesOrFields) {
        return cells.chunk(seriesOrFields);
    }

    /** Returns the index of the copy of a definition in {@link #buffer}. */
    public int offset(int seriesOrFields) {
        return definition(seriesOrFields);
    }

    private static int definition(int cell) {
        return Cells.offset(cell) + DEFINITION;
    }

    /** Returns whether all fields of a set are known to have different names; valid after {@link #names}. */
    boolean isDistinct(int set) {
        return cells.chunk(set).getInt(Cells.offset(set) + DISTINCT) != 0;
    }

    /** Returns the number of fields in a set. */
    @HotPath
    int fields(int set) {
        return cells.chunk(set).getInt(Cells.offset(set) + FIELDS);
    }

    /** Returns the index, in the chunk, of the types of the fields in a set: a byte each. */
    @HotPath
    int types(int set) {
        int at = Cells.offset(set);
        return at + DEFINITION + cells.chunk(set).getInt(at + LENGTH);
    }
}
