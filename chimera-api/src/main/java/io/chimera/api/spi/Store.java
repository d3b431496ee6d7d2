package io.chimera.api.spi;

import io.chimera.api.model.Row;
import java.util.List;
import java.util.Optional;

/** A time-series store at the end of a pipeline. Called by one thread at a time, which it may block. */
public interface Store extends Plugin, AutoCloseable {
    /**
     * Name by which the configuration chooses a plugin as {@code type} of a store.
     *
     * @return lower-case letters, digits and underscores; empty for a store that cannot be chosen
     */
    @Override
    default String name() {
        return "";
    }

    /**
     * Called once before the first batch. Does not need the store to be reachable.
     *
     * @param context the instance's name and settings
     */
    default void open(PluginContext context) {}

    /**
     * Writes rows, overwriting rows of the same metric, tags, time and type.
     *
     * @param rows at most {@link #batchRowsMax()} of them, valid during the call; none at all asks whether the store takes
     *     rows
     * @throws StoreException when it is not certain that all rows were taken; the caller tries all of them again
     */
    void write(List<Row> rows) throws StoreException;

    /**
     * The largest batch this store wants.
     *
     * @return number of rows
     */
    default int batchRowsMax() {
        return 10_000;
    }

    /**
     * A row that this store accepts whenever it accepts rows at all. The flusher writes it only after the store refused
     * other rows, to find out whether those rows are bad or the store is in an outage. The row must always be the same,
     * so that it overwrites itself.
     *
     * @return empty when the store has no such row; then the newest row that the store acknowledged is used
     */
    default Optional<Row> probeRow() {
        return Optional.empty();
    }

    /** Called once after the last batch. */
    @Override
    default void close() {}
}
