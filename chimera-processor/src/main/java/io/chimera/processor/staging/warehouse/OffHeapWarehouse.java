package io.chimera.processor.staging.warehouse;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A warehouse in direct buffers outside the heap. The states of aggregator plugins are bytes in the same buffers, read
 * and written at every fold.
 *
 * <pre>
 *   state  0          4        8
 *          +----------+--------+-------
 *          | capacity | length | bytes
 *          +----------+--------+-------
 * </pre>
 *
 * <p>A state that outgrows its capacity moves to a new cell of at least twice the size. The old cell is unused until
 * the warehouse is cleared, which wastes at most one byte per byte in use.
 */
public final class OffHeapWarehouse extends ChunkedWarehouse {
    private static final int CAPACITY = 0;
    private static final int LENGTH = 4;
    private static final int BYTES = 8;
    private static final int CAPACITY_MIN = 64;

    /**
     * Creates an empty warehouse.
     *
     * @param pool of chunks outside the heap
     * @param plugins of the pipeline
     * @param sketches of the pipeline
     */
    public OffHeapWarehouse(ChunkPool pool, Plugins plugins, Sketches sketches) {
        super(pool, plugins, sketches);
    }

    @Override
    boolean foldStates(int field, double value, long timeNs) {
        for (int i = 0; i < plugins.count(); i++) {
            PluginState<?> plugin = plugins.folding(i);
            int cell = stateOf(field, i);
            Object state = cell == NONE ? plugin.create() : read(plugin, cell);
            plugin.fold(state, value, timeNs);
            int length = plugin.encode(state);
            if (cell == NONE || capacity(cell) < length) {
                cell = move(field, i, length);
                if (cell == NONE) {
                    return false;
                }
            }
            cells.chunk(cell).putInt(Cells.offset(cell) + LENGTH, length);
            cells.chunk(cell).putBytes(Cells.offset(cell) + BYTES, plugin.bytes(), 0, length);
        }
        return true;
    }

    private int move(int field, int plugin, int length) {
        int capacity = Math.max(CAPACITY_MIN, BitUtil.findNextPositivePowerOfTwo(length));
        int cell = cells.allocate(BYTES + capacity);
        if (cell == NONE) {
            return NONE;
        }
        cells.chunk(cell).putInt(Cells.offset(cell) + CAPACITY, capacity);
        stateOf(field, plugin, cell);
        return cell;
    }

    private int capacity(int cell) {
        return cells.chunk(cell).getInt(Cells.offset(cell) + CAPACITY);
    }

    private Object read(PluginState<?> plugin, int cell) {
        UnsafeBuffer chunk = cells.chunk(cell);
        return plugin.decode(chunk, Cells.offset(cell) + BYTES, chunk.getInt(Cells.offset(cell) + LENGTH));
    }

    @Override
    Object copyState(int field, int plugin) {
        return read(plugins.folding(plugin), stateOf(field, plugin));
    }

    @Override
    void rehearseKeeping(int plugin, Object state) {
        plugins.folding(plugin).encode(state);
    }

    @Override
    public Object state(int field, int plugin) {
        int cell = stateOf(field, plugin);
        return cell == NONE ? null : read(plugins.merging(plugin), cell);
    }
}
