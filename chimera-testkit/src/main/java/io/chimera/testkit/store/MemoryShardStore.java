package io.chimera.testkit.store;

import io.chimera.api.model.Row;
import io.chimera.api.model.RowOrder;
import io.chimera.api.model.RowVersion;
import io.chimera.api.spi.ShardStore;
import io.chimera.api.spi.ShardWrite;
import io.chimera.api.spi.StoreException;
import io.chimera.api.spi.VerifiableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Connection to a store in memory that writes shards as a whole. All connections share the rows and the faults of a
 * {@link MemoryStore}; a connection has the rows of the open shard, and loses these rows with a failure. Reports
 * misuse by the flusher. One thread.
 */
@NullMarked
public final class MemoryShardStore implements ShardStore, VerifiableStore {
    private final MemoryStore table;
    private final Consumer<String> misuse;
    private final List<Row> open = new ArrayList<>();
    private @Nullable ShardWrite shard;

    /**
     * Creates a connection without an open shard.
     *
     * @param table committed rows
     * @param misuse receives calls and rows in a wrong order
     */
    public MemoryShardStore(MemoryStore table, Consumer<String> misuse) {
        this.table = table;
        this.misuse = misuse;
    }

    @Override
    public String name() {
        return "memory_shards";
    }

    @Override
    public int batchRowsMax() {
        return table.batchRowsMax();
    }

    /** Returns the open shard; null for none. */
    public @Nullable ShardWrite shard() {
        return shard;
    }

    @Override
    public void begin(ShardWrite write) throws StoreException {
        if (shard != null) {
            misuse.accept(write + " begins within " + shard + ".");
        }
        table.check(List.of());
        shard = write;
    }

    @Override
    public void write(List<Row> rows) throws StoreException {
        if (shard == null) {
            table.write(rows);
            return;
        }
        try {
            table.checkBatch(rows);
        } catch (StoreException e) {
            if (e.retryable()) {
                open.clear();
            }
            throw e;
        }
        rows.forEach(this::add);
    }

    private void add(Row row) {
        if (!open.isEmpty() && RowOrder.BY_IDENTITY.compare(open.get(open.size() - 1), row) >= 0) {
            misuse.accept(row + " after " + open.get(open.size() - 1) + " in " + shard + ".");
        }
        open.add(row);
    }

    @Override
    public void commit(ShardWrite write) throws StoreException {
        List<Row> rows = end(write);
        table.commit(rows, write.version());
    }

    @Override
    public void abort(ShardWrite write) {
        end(write);
    }

    private List<Row> end(ShardWrite write) {
        if (!write.equals(shard)) {
            misuse.accept(write + " ends within " + shard + ".");
        }
        List<Row> rows = List.copyOf(open);
        shard = null;
        open.clear();
        return rows;
    }

    @Override
    public List<Row> read(List<Row> written) throws StoreException {
        return table.read(written);
    }

    @Override
    public List<Row> superseding(List<Row> written, RowVersion version) throws StoreException {
        return table.superseding(written, version);
    }

    /** Ends the connection; the committed rows stay. */
    @Override
    public void close() {
        shard = null;
        open.clear();
    }
}
