package io.chimera.testkit.store;

import io.chimera.api.kit.ShardStoreContract;
import io.chimera.api.model.Row;
import io.chimera.api.spi.NoSettings;
import io.chimera.api.spi.ShardStore;
import java.util.List;

/** The store of tests and simulation fulfils the contract of stores that write shards as a whole. */
final class MemoryShardStoreTest extends ShardStoreContract {
    private final MemoryStore table = new MemoryStore();

    @Override
    protected ShardStore store() {
        return new MemoryShardStore(table, misuse -> {
            throw new IllegalStateException(misuse);
        });
    }

    @Override
    protected Record settings() {
        return new NoSettings();
    }

    @Override
    protected List<String> stored(String metric) {
        return table.rows().stream()
                .filter(row -> row.metric().equals(metric))
                .map(Row::toString)
                .toList();
    }
}
