package io.chimera.testkit.store;

import io.chimera.api.kit.StoreContract;
import io.chimera.api.model.Row;
import io.chimera.api.spi.NoSettings;
import io.chimera.api.spi.Store;
import java.util.List;

/** The store of tests and simulation fulfils the contract of stores. */
final class MemoryStoreTest extends StoreContract {
    private MemoryStore store = new MemoryStore();

    @Override
    protected Store store() {
        store = new MemoryStore();
        return store;
    }

    @Override
    protected Record settings() {
        return new NoSettings();
    }

    @Override
    protected List<String> stored(String metric) {
        return store.rows().stream()
                .filter(row -> row.metric().equals(metric))
                .map(Row::toString)
                .toList();
    }
}
