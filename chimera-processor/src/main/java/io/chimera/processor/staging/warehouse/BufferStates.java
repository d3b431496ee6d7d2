package io.chimera.processor.staging.warehouse;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * States outside the heap: bytes in the direct buffers of the warehouse, read and written at every fold.
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
final class BufferStates implements PluginStates {
    private static final int NONE = Cells.NONE;
    private static final int CAPACITY = 0;
    private static final int LENGTH = 4;
    private static final int BYTES = 8;
    private static final int CAPACITY_MIN = 64;

    private final Plugins plugins;
    private final Cells cells;
    private final Groups groups;

    BufferStates(Plugins plugins, Cells cells, Groups groups) {
        this.plugins = plugins;
        this.cells = cells;
        this.groups = groups;
    }

    @Override
    public boolean fold(int field, double value, long timeNs) {
        for (int i = 0; i < plugins.count(); i++) {
            PluginState<?> plugin = plugins.folding(i);
            int cell = groups.stateOf(field, i);
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
        groups.stateOf(field, plugin, cell);
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
    public boolean isReadyToRehearse(int field) {
        return false; // each fold decodes its state anyway, so a twin saves nothing
    }

    @Override
    public void rehearse(int field, double value, long timeNs) {
        throw new IllegalStateException("A state outside the heap is rehearsed on a copy.");
    }

    @Override
    public void dropTwins(int field) {} // there are none

    @Override
    public Object copy(int field, int plugin) {
        return read(plugins.folding(plugin), groups.stateOf(field, plugin));
    }

    @Override
    public void rehearseKeeping(int plugin, Object state) {
        plugins.folding(plugin).encode(state);
    }

    @Override
    public @Nullable Object read(int field, int plugin) {
        int cell = groups.stateOf(field, plugin);
        return cell == NONE ? null : read(plugins.merging(plugin), cell);
    }

    @Override
    public void clear() {} // the states are cells
}
