package io.chimera.processor.staging.warehouse;

import java.util.ArrayList;
import java.util.List;

/** A warehouse in arrays on the heap; the states of aggregator plugins are the plugins' own objects. */
public final class OnHeapWarehouse extends ChunkedWarehouse {
    /** Bytes counted per state against the limit, because the size of an object is unknown. */
    private static final int STATE_BYTES = 256;

    private final List<Object> states = new ArrayList<>();

    /**
     * Creates an empty warehouse.
     *
     * @param pool of chunks on the heap
     * @param plugins of the pipeline
     * @param sketches of the pipeline
     */
    public OnHeapWarehouse(ChunkPool pool, Plugins plugins, Sketches sketches) {
        super(pool, plugins, sketches);
    }

    @Override
    boolean foldStates(int field, double value, long timeNs) {
        for (int i = 0; i < plugins.count(); i++) {
            int state = stateOf(field, i);
            if (state == NONE) {
                if (!pool.reserve(STATE_BYTES)) {
                    cells.full();
                    return false;
                }
                states.add(plugins.folding(i).create());
                state = states.size();
                stateOf(field, i, state);
            }
            plugins.folding(i).fold(states.get(state - 1), value, timeNs);
        }
        return true;
    }

    @Override
    Object copyState(int field, int plugin) {
        PluginState<?> folding = plugins.folding(plugin);
        Object copy = folding.create();
        folding.merge(copy, states.get(stateOf(field, plugin) - 1));
        return copy;
    }

    @Override
    void rehearseKeeping(int plugin, Object state) {} // a state on the heap is stored without a copy

    @Override
    public Object state(int field, int plugin) {
        int state = stateOf(field, plugin);
        return state == NONE ? null : states.get(state - 1);
    }

    @Override
    public void clear() {
        super.clear();
        pool.release((long) STATE_BYTES * states.size());
        states.clear();
    }
}
