package io.chimera.common.plugin;

import io.chimera.api.model.Row;
import io.chimera.api.model.RowVersion;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.ShardStore;
import io.chimera.api.spi.ShardWrite;
import io.chimera.api.spi.Store;
import io.chimera.api.spi.StoreException;
import io.chimera.api.spi.VerifiableStore;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * Guarded store of a plugin that writes shards as a whole. The open shard belongs to an instance: after an abandoned
 * call the shard has to begin again, because the new instance would take its rows for rows outside of a shard. One
 * caller at a time.
 */
class FencedShardStore extends FencedStore implements ShardStore {
    private boolean isOpen;

    private FencedShardStore(PluginGuard fence, Supplier<Store> maker, PluginContext context, Duration timeout) {
        super(fence, maker, context, timeout);
    }

    static FencedShardStore of(
            boolean isVerifiable, PluginGuard fence, Supplier<Store> maker, PluginContext context, Duration timeout) {
        return isVerifiable
                ? new VerifiableShards(fence, maker, context, timeout)
                : new FencedShardStore(fence, maker, context, timeout);
    }

    /** Store with support for reading rows back. */
    private static final class VerifiableShards extends FencedShardStore implements VerifiableStore {
        VerifiableShards(PluginGuard fence, Supplier<Store> maker, PluginContext context, Duration timeout) {
            super(fence, maker, context, timeout);
        }

        @Override
        public List<Row> read(List<Row> written) throws StoreException {
            return readBack(written);
        }
    }

    @Override
    public void begin(ShardWrite shard) throws StoreException {
        call("begin", store -> {
            ((ShardStore) store).begin(shard);
            return null;
        });
        isOpen = true;
    }

    @Override
    public void write(List<Row> rows) throws StoreException {
        checkInstance();
        super.write(rows);
    }

    @Override
    public void commit(ShardWrite shard) throws StoreException {
        checkInstance();
        isOpen = false;
        call("commit", store -> {
            ((ShardStore) store).commit(shard);
            return null;
        });
    }

    @Override
    public void abort(ShardWrite shard) {
        isOpen = false;
        if (!hasInstance()) {
            return; // no further call reaches the abandoned instance
        }
        release("abort", store -> {
            ((ShardStore) store).abort(shard);
            return null;
        });
    }

    @Override
    public List<Row> superseding(List<Row> written, RowVersion version) throws StoreException {
        List<Row> kept = List.copyOf(written);
        return call("superseding", store -> ((ShardStore) store).superseding(kept, version));
    }

    private void checkInstance() throws StoreException {
        if (isOpen && !hasInstance()) {
            throw new StoreException("The instance of the store was replaced within a shard.", true, null);
        }
    }
}
