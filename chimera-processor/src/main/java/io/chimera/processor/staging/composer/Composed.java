package io.chimera.processor.staging.composer;

import io.chimera.api.model.Row;
import io.chimera.processor.staging.warehouse.ChunkPool;
import io.chimera.processor.staging.warehouse.Warehouse;
import java.util.ArrayList;
import java.util.List;

/**
 * What a composition gave for a shard of a cycle: groups, or rows of their own time. The composer's thread makes it and lets go of
 * it; in between the flusher's reads it.
 */
public final class Composed {
    /** What a row counts for against the limit: the row, its place in the list and in the index, its value. */
    private static final int ROW_BYTES = 128;

    private final ChunkPool pool;
    private final Warehouse warehouse;
    private final List<Row> rows;
    private long late;
    private long rejected;

    Composed(ChunkPool pool, Warehouse warehouse) {
        this.pool = pool;
        this.warehouse = warehouse;
        rows = warehouse == null ? new ArrayList<>() : null;
    }

    /** The groups; null when there are rows. */
    public Warehouse warehouse() {
        return warehouse;
    }

    /** The rows; null when there are groups. */
    public List<Row> rows() {
        return rows;
    }

    /** Adds a row; -1 when the limit is reached, otherwise its place. */
    int add(Row row) {
        if (!pool.reserve(ROW_BYTES)) {
            return -1;
        }
        rows.add(row);
        return rows.size() - 1;
    }

    /** Data points too old for the cycle. */
    public long late() {
        return late;
    }

    /** Data points at which a block threw. */
    public long rejected() {
        return rejected;
    }

    void account(long newLate, long newRejected) {
        late += newLate;
        rejected += newRejected;
    }

    /** Gives the memory back. */
    void clear() {
        if (warehouse != null) {
            warehouse.clear();
        } else {
            pool.release((long) ROW_BYTES * rows.size());
            rows.clear();
        }
    }
}
