package io.chimera.processor.staging.composer;

import io.chimera.api.model.Row;
import io.chimera.processor.staging.warehouse.ChunkPool;
import io.chimera.processor.staging.warehouse.Warehouse;
import java.util.ArrayList;
import java.util.List;

/**
 * Output of a composition for a shard of a cycle: groups, or rows with their own times. The composer's thread creates
 * and releases the output; in between the flusher's thread reads the output.
 */
public final class Composed {
    /** Bytes counted per row against the limit: the row, its entries in the list and in the index, and its value. */
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

    /** Returns the groups; null when the output is rows. */
    public Warehouse warehouse() {
        return warehouse;
    }

    /** Returns the rows; null when the output is groups. */
    public List<Row> rows() {
        return rows;
    }

    /** Adds a row; returns its index, or -1 when the limit is reached. */
    int add(Row row) {
        if (!pool.reserve(ROW_BYTES)) {
            return -1;
        }
        rows.add(row);
        return rows.size() - 1;
    }

    /** Returns the number of data points too old for the cycle. */
    public long late() {
        return late;
    }

    /** Returns the number of data points at which a block threw. */
    public long rejected() {
        return rejected;
    }

    void account(long newLate, long newRejected) {
        late += newLate;
        rejected += newRejected;
    }

    /** Releases the memory. */
    void clear() {
        if (warehouse != null) {
            warehouse.clear();
        } else {
            pool.release((long) ROW_BYTES * rows.size());
            rows.clear();
        }
    }
}
