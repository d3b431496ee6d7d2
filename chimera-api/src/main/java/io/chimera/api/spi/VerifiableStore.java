package io.chimera.api.spi;

import io.chimera.api.model.Row;
import java.util.List;

/**
 * A store whose rows can be read back, which delivery {@code exactly_once} needs. Its {@link #write} may be an
 * acknowledgement of rows that are only on their way to the disk; what {@link #read} returns has to be as safe as the store
 * can make it.
 */
public interface VerifiableStore extends Store {
    /**
     * Reads rows back.
     *
     * @param written rows that were written, all of one time, in any number; valid during the call
     * @return of each metric, tags, time and type among them that the store has at this moment, one row with the value that it
     *     has; in any order. Where the store cannot tell two rows apart, it is the one as it was written if that is there
     * @throws StoreException when the store cannot be read now; the caller tries again
     */
    List<Row> read(List<Row> written) throws StoreException;
}
