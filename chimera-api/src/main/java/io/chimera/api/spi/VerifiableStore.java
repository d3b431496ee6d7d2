package io.chimera.api.spi;

import io.chimera.api.model.Row;
import java.util.List;

/**
 * A store with read-back, as required by delivery {@code exactly_once}. {@link #write} may acknowledge rows before the
 * rows reach the disk. The rows returned by {@link #read} must be as durable as the store can make them.
 */
public interface VerifiableStore extends Store {
    /**
     * Reads rows back.
     *
     * @param written written rows, all of the same time, in any number; valid during the call
     * @return one row for each metric, tags, time and type in {@code written} that the store contains now, with the
     *     stored value; in any order. When the store cannot distinguish two rows, {@code read} returns the row as
     *     written, if present
     * @throws StoreException when the store cannot be read now; the caller tries again
     */
    List<Row> read(List<Row> written) throws StoreException;
}
