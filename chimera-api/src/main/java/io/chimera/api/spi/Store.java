package io.chimera.api.spi;

import io.chimera.api.model.Row;
import java.util.List;
import java.util.Optional;

/**
 * A time-series store at the end of a pipeline. One thread at a time calls a store; a call may block. Each
 * lane of each processor opens an instance of its own.
 */
public interface Store extends Plugin, AutoCloseable {
    /**
     * Returns the name that selects the store in the configuration, with the key {@code type} of a store.
     *
     * @return lower-case letters, digits and underscores; empty for a store that the configuration cannot select
     */
    @Override
    default String name() {
        return "";
    }

    /**
     * Opens the store. Called once before the first batch. The store need not be reachable yet.
     *
     * @param context name and settings of the instance
     */
    default void open(PluginContext context) {}

    /**
     * Writes rows and overwrites rows of the same metric, tags, time and type.
     *
     * @param rows at most {@link #batchRowsMax()} rows, valid during the call; an empty list checks whether the store
     *     accepts rows
     * @throws StoreException when the store may have missed some of the rows; the caller writes all rows again
     */
    void write(List<Row> rows) throws StoreException;

    /**
     * Returns the maximum size of a batch for this store.
     *
     * @return number of rows
     */
    default int batchRowsMax() {
        return 10_000;
    }

    /**
     * Returns a row that this store accepts whenever the store accepts any row. The flusher writes the probe row only
     * after the store refused other rows, to distinguish bad rows from an outage of the store. The probe row must never
     * change, so that each write overwrites the last.
     *
     * @return empty when the store has no such row; the flusher then writes the newest acknowledged row
     */
    default Optional<Row> probeRow() {
        return Optional.empty();
    }

    /** Called once after the last batch. */
    @Override
    default void close() {}
}
