package io.chimera.faults.sim.world;

import io.chimera.api.model.Row;
import io.chimera.testkit.store.MemoryStore;

/** Place of a row in a store. */
public record StorePlace(String store, MemoryStore.Key key) {
    public static StorePlace of(String store, Row row) {
        return new StorePlace(store, new MemoryStore.Key(row.metric(), row.tags(), row.timeMs(), row.isLong()));
    }
}
