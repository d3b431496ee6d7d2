package io.chimera.bench.cluster;

import io.chimera.api.model.Row;
import io.chimera.api.spi.Store;
import io.chimera.api.spi.StoreException;
import java.util.List;

/**
 * Accepts rows and drops them, so that runs may have any length and any number of series. The coordinator counts the
 * rows. One thread at a time.
 */
public final class ForgettingStore implements Store {
    /** Called by the ServiceLoader. */
    public ForgettingStore() {}

    @Override
    public String name() {
        return "forgetting";
    }

    @Override
    public void write(List<Row> rows) throws StoreException {}
}
