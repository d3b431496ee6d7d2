package io.chimera.processor.staging.warehouse;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.processor.staging.sketch.Sketch;
import io.chimera.processor.staging.sketch.SketchKind;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sketches in {@link Cells}, on the heap or off the heap: the image of a sketch, followed by items not yet added to the
 * sketch.
 *
 * <pre>
 *   0          4              8              12  16      16 + image length, padded to 8
 *   +----------+--------------+--------------+---+-------+-------------------------------
 *   | capacity | image length | items length | 0 | image | items
 *   +----------+--------------+--------------+---+-------+-------------------------------
 * </pre>
 *
 * <p>Storing an item costs a copy. When the next item does not fit, the cell grows while its items are within a limit:
 * half of the image length, between {@link #ITEMS_MIN} and {@link #ITEMS_MAX}. Beyond the limit, the image is decoded
 * to a sketch, all items are added, and the sketch is encoded again; the limit bounds the cost of coding per item. An
 * outgrown cell is replaced by a cell of at least twice the size; the old cell is unused until the warehouse is
 * cleared.
 */
final class SketchCells {
    /** Minimum limit for items in bytes: 128 numbers. */
    static final int ITEMS_MIN = 1 << 10;

    /** Maximum limit for items in bytes: the largest image with its items fits in a chunk. */
    static final int ITEMS_MAX = 16 << 10;

    private static final int NONE = Cells.NONE;
    private static final int CAPACITY = 0;
    private static final int IMAGE_LENGTH = 4;
    private static final int ITEMS_LENGTH = 8;
    private static final int IMAGE = 16;
    private static final int LENGTH_MIN = 64;

    private final Cells cells;

    SketchCells(Cells cells) {
        this.cells = cells;
    }

    /**
     * Adds a value to a sketch.
     *
     * @param cell of the sketch, or NONE for a new sketch
     * @param length of the item of the value
     * @param text index of the text or histogram in the record's buffer, if the value is one
     * @return the present cell of the sketch; NONE when a limit is reached
     */
    @HotPath
    int fold(int cell, SketchKind kind, int length, RecordFlyweight record, int n, int type, int text) {
        int roomy = hasRoom(cell, length) ? cell : makeRoom(cell, kind, length);
        if (roomy != NONE) {
            UnsafeBuffer chunk = cells.chunk(roomy);
            int at = Cells.offset(roomy);
            int used = chunk.getInt(at + ITEMS_LENGTH);
            kind.putItem(chunk, items(chunk, at) + used, record, n, type, text);
            chunk.putInt(at + ITEMS_LENGTH, used + length);
        }
        return roomy;
    }

    private boolean hasRoom(int cell, int length) {
        if (cell == NONE) {
            return false;
        }
        UnsafeBuffer chunk = cells.chunk(cell);
        int at = Cells.offset(cell);
        int end = items(chunk, at) + chunk.getInt(at + ITEMS_LENGTH);
        return end + length <= at + chunk.getInt(at + CAPACITY);
    }

    private static int items(UnsafeBuffer chunk, int at) {
        return at + IMAGE + BitUtil.align(chunk.getInt(at + IMAGE_LENGTH), 8);
    }

    private int makeRoom(int cell, SketchKind kind, int length) {
        if (cell == NONE) {
            return allocate(IMAGE + length);
        }
        UnsafeBuffer chunk = cells.chunk(cell);
        int at = Cells.offset(cell);
        int imageLength = chunk.getInt(at + IMAGE_LENGTH);
        int used = items(chunk, at) - at + chunk.getInt(at + ITEMS_LENGTH);
        if (chunk.getInt(at + ITEMS_LENGTH) + length <= itemsMax(imageLength)) {
            int larger = allocate(used + length);
            if (larger != NONE) {
                int capacity = cells.chunk(larger).getInt(Cells.offset(larger) + CAPACITY);
                cells.chunk(larger).putBytes(Cells.offset(larger), chunk, at, used);
                cells.chunk(larger).putInt(Cells.offset(larger) + CAPACITY, capacity);
            }
            return larger;
        }
        byte[] image = read(cell, kind).image();
        int needed = IMAGE + BitUtil.align(image.length, 8) + Math.max(length, itemsMax(image.length));
        int holder = needed <= chunk.getInt(at + CAPACITY) ? cell : allocate(needed);
        if (holder != NONE) {
            UnsafeBuffer target = cells.chunk(holder);
            target.putInt(Cells.offset(holder) + IMAGE_LENGTH, image.length);
            target.putInt(Cells.offset(holder) + ITEMS_LENGTH, 0);
            target.putBytes(Cells.offset(holder) + IMAGE, image);
        }
        return holder;
    }

    private static int itemsMax(int imageLength) {
        return Math.max(ITEMS_MIN, Math.min(ITEMS_MAX, imageLength / 2));
    }

    private int allocate(int needed) {
        int capacity = Math.min(Cells.LENGTH_MAX, Math.max(LENGTH_MIN, BitUtil.findNextPositivePowerOfTwo(needed)));
        int cell = cells.allocate(capacity);
        if (cell != NONE) {
            cells.chunk(cell).putInt(Cells.offset(cell) + CAPACITY, capacity);
            cells.chunk(cell).putInt(Cells.offset(cell) + IMAGE_LENGTH, 0);
            cells.chunk(cell).putInt(Cells.offset(cell) + ITEMS_LENGTH, 0);
        }
        return cell;
    }

    /** Decodes the sketch in a cell and adds its items; the cell stays unchanged. */
    @ColdPath
    Sketch read(int cell, SketchKind kind) {
        UnsafeBuffer chunk = cells.chunk(cell);
        int at = Cells.offset(cell);
        byte[] image = new byte[chunk.getInt(at + IMAGE_LENGTH)];
        chunk.getBytes(at + IMAGE, image);
        Sketch sketch = image.length == 0 ? kind.create() : kind.read(image);
        int items = items(chunk, at);
        sketch.take(chunk, items, items + chunk.getInt(at + ITEMS_LENGTH));
        return sketch;
    }
}
