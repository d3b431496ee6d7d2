package io.chimera.processor.staging.warehouse;

import java.util.ArrayList;
import java.util.List;

/** States on the heap: the plugins' own objects. */
final class HeapStates implements PluginStates {
    private static final int NONE = Cells.NONE;

    /** Bytes counted per state against the limit, because the size of an object is unknown. */
    private static final int STATE_BYTES = 256;

    private final List<Object> states = new ArrayList<>();

    private final Plugins plugins;
    private final ChunkPool pool;
    private final Cells cells;
    private final Groups groups;

    HeapStates(Plugins plugins, ChunkPool pool, Cells cells, Groups groups) {
        this.plugins = plugins;
        this.pool = pool;
        this.cells = cells;
        this.groups = groups;
    }

    @Override
    public boolean fold(int field, double value, long timeNs) {
        for (int i = 0; i < plugins.count(); i++) {
            int state = groups.stateOf(field, i);
            if (state == NONE) {
                if (!pool.reserve(STATE_BYTES)) {
                    cells.full();
                    return false;
                }
                states.add(plugins.folding(i).create());
                state = states.size();
                groups.stateOf(field, i, state);
            }
            plugins.folding(i).fold(states.get(state - 1), value, timeNs);
        }
        return true;
    }

    @Override
    public Object copy(int field, int plugin) {
        PluginState<?> folding = plugins.folding(plugin);
        Object copy = folding.create();
        folding.merge(copy, states.get(groups.stateOf(field, plugin) - 1));
        return copy;
    }

    @Override
    public void rehearseKeeping(int plugin, Object state) {} // a state on the heap is stored without a copy

    @Override
    public Object read(int field, int plugin) {
        int state = groups.stateOf(field, plugin);
        return state == NONE ? null : states.get(state - 1);
    }

    @Override
    public void clear() {
        pool.release((long) STATE_BYTES * states.size());
        states.clear();
    }
}
