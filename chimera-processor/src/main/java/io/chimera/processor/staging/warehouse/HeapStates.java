package io.chimera.processor.staging.warehouse;

import io.chimera.api.ColdPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * States on the heap: the plugins' own objects. A state that takes part in rehearsals has a twin, an equal object: each
 * number is folded into the twin first, then into the state. Rehearsals of further numbers allocate nothing. Twins are
 * few and not counted against the limit of bytes, so that rehearsals leave all room to the data.
 */
final class HeapStates implements PluginStates {
    private static final int NONE = Cells.NONE;

    /** Bytes counted per state against the limit, because the size of an object is unknown. */
    private static final int STATE_BYTES = 256;

    /** Maximum number of twins. Records of further states are rehearsed on copies. */
    static final int TWINS_MAX = 1_024;

    /** A state with its twin. */
    private static final class Kept {
        private final Object state;

        /** Equal to the state except for {@link #ahead} numbers; null before the first rehearsal. */
        private @Nullable Object twin;

        /** Numbers that were folded into the twin only. */
        private int ahead;

        Kept(Object state) {
            this.state = state;
        }
    }

    private final List<Kept> states = new ArrayList<>();

    private final Plugins plugins;
    private final ChunkPool pool;
    private final Cells cells;
    private final Groups groups;

    private int twins;

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
                states.add(new Kept(plugins.folding(i).create()));
                state = states.size();
                groups.stateOf(field, i, state);
            }
            Kept kept = states.get(state - 1);
            plugins.folding(i).fold(kept.state, value, timeNs);
            if (kept.ahead > 0) {
                kept.ahead--;
            } else if (kept.twin != null) {
                dropTwin(kept); // the number was not rehearsed
            }
        }
        return true;
    }

    @Override
    public boolean isReadyToRehearse(int field) {
        for (int i = 0; i < plugins.count(); i++) {
            int state = groups.stateOf(field, i);
            if (state == NONE) {
                return false;
            }
            Kept kept = states.get(state - 1);
            if (kept.ahead > 0) {
                dropTwin(kept); // an earlier record was rehearsed and not folded
            }
            if (kept.twin == null && !addTwin(kept, i)) {
                return false;
            }
        }
        return true;
    }

    /** Adds a twin; returns false when there are too many. */
    @ColdPath
    private boolean addTwin(Kept kept, int plugin) {
        if (twins == TWINS_MAX) {
            return false;
        }
        kept.twin = copy(kept, plugin); // a plugin may throw
        twins++;
        return true;
    }

    private void dropTwin(Kept kept) {
        kept.twin = null;
        kept.ahead = 0;
        twins--;
    }

    @Override
    public void rehearse(int field, double value, long timeNs) {
        for (int i = 0; i < plugins.count(); i++) {
            Kept kept = states.get(groups.stateOf(field, i) - 1);
            kept.ahead++;
            plugins.folding(i).fold(Objects.requireNonNull(kept.twin, "prepared before"), value, timeNs);
        }
    }

    @Override
    public void dropTwins(int field) {
        for (int i = 0; i < plugins.count(); i++) {
            Kept kept = states.get(groups.stateOf(field, i) - 1);
            if (kept.twin != null) {
                dropTwin(kept);
            }
        }
    }

    @Override
    public Object copy(int field, int plugin) {
        return copy(states.get(groups.stateOf(field, plugin) - 1), plugin);
    }

    private Object copy(Kept kept, int plugin) {
        PluginState<?> folding = plugins.folding(plugin);
        Object copy = folding.create();
        folding.merge(copy, kept.state);
        return copy;
    }

    @Override
    public void rehearseKeeping(int plugin, Object state) {} // a state on the heap is stored without a copy

    @Override
    public @Nullable Object read(int field, int plugin) {
        int state = groups.stateOf(field, plugin);
        return state == NONE ? null : states.get(state - 1).state;
    }

    @Override
    public void clear() {
        pool.release((long) STATE_BYTES * states.size());
        states.clear();
        twins = 0;
    }
}
