package io.chimera.api.spi;

import io.chimera.api.model.Row;
import io.chimera.api.model.RowVersion;
import java.util.List;

/**
 * A store that writes the rows of a shard as a whole. The flusher calls {@link #begin} before the first batch of a
 * shard and {@link #commit} after the last batch. At most one shard is open per instance.
 *
 * <p>Between both calls {@link #write} gets the rows of the shard in the order {@link
 * io.chimera.api.model.RowOrder#BY_IDENTITY}, in batches of any size, each row once. An empty batch checks whether the
 * store accepts rows, and leaves no row. After an exception of {@code write}:
 *
 * <ul>
 *   <li>not retryable: the store refuses the content of this batch, and keeps the earlier batches of the shard. The
 *       flusher writes the rows of the batch again in smaller batches, to find the bad rows. A store must never report
 *       a refusal of content as retryable, because the flusher then repeats the same rows without end.
 *   <li>retryable, or any other exception: the flusher aborts the shard, and begins again with the first row.
 * </ul>
 *
 * <p>Outside of a shard, {@code write} behaves as for each {@link Store}, and its rows have the version {@link
 * io.chimera.api.model.RowVersion#NONE}.
 */
public interface ShardStore extends Store {
    /**
     * Begins the rows of a shard.
     *
     * @param shard identity of the rows
     * @throws StoreException when the store does not accept rows now; the shard is not open
     */
    void begin(ShardWrite shard) throws StoreException;

    @Override
    void write(List<Row> rows) throws StoreException;

    /**
     * Makes the rows of the shard durable and visible. After an exception the shard is no longer open, its rows may be
     * visible or not, and the flusher begins the shard again. A store that refuses the content of rows only at the
     * commit must find the refused rows in the next attempt at the shard, by exceptions of {@code write}.
     *
     * @param shard the open shard
     * @throws StoreException when the rows may not be visible
     */
    void commit(ShardWrite shard) throws StoreException;

    /**
     * Gives up the shard; no row of the shard may become visible later. If the store is out of reach, closing the
     * connection must have this effect. {@link #close} with an open shard has the same effect.
     *
     * @param shard the open shard
     */
    void abort(ShardWrite shard);

    /**
     * Reads stored rows of a higher version, which a write with this version leaves unchanged. The read-back counts a
     * row of a higher version as written, whatever the value. A {@link VerifiableStore} must implement this method,
     * because otherwise the flusher writes such rows again without end.
     *
     * @param written written rows, all of the same time, in any number; valid during the call
     * @param version version of the written rows
     * @return one row for each metric, tags, time and type in {@code written} that the store contains with a higher
     *     version, with the stored value; in any order
     * @throws StoreException when the store cannot be read now; the caller tries again
     */
    default List<Row> superseding(List<Row> written, RowVersion version) throws StoreException {
        return List.of();
    }
}
