package io.chimera.bench.cluster;

import io.chimera.api.model.Row;
import io.chimera.api.spi.Store;
import io.chimera.api.spi.StoreException;
import java.util.List;

/**
 * Takes rows and keeps none, so that runs may be as long, and have as many series, as one likes. The coordinator counts
 * the rows. One thread at a time.
 */
public final class ForgettingStore implements Store {
    /** For the ServiceLoader. */
    public ForgettingStore() {}

    @Override
    public String name() {
        return "forgetting";
    }

    @Override
    public void write(List<Row> rows) throws StoreException {}
}
