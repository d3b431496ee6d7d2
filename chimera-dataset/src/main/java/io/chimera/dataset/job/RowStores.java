package io.chimera.dataset.job;

import io.chimera.api.model.Row;
import io.chimera.api.model.RowVersion;
import io.chimera.api.spi.ShardStore;
import io.chimera.api.spi.StoreException;
import io.chimera.api.spi.VerifiableStore;
import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.Retries;
import io.chimera.processor.pipeline.NamedStore;
import io.chimera.processor.pipeline.Pipeline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Writes rows to the stores of their pipeline, and waits while a store is away. A row that is written again overwrites
 * itself, so an unknown result of a write is no danger. With {@code exactly_once} the rows are read back. One thread.
 */
final class RowStores implements RowTarget {
    /** Attempts end with the time, not with their number. */
    private static final Retries.Limits LIMITS = new Retries.Limits(
            Integer.MAX_VALUE, Duration.ofMillis(200), Duration.ofSeconds(10), Duration.ofMinutes(10));

    private final Retries retries;

    /** A write, or a read of what was written. */
    private interface Call {
        void run() throws StoreException;
    }

    /**
     * Creates a writer. A store that accepts no rows for ten minutes ends the job.
     *
     * @param clock measures the outage of a store
     * @param random draws the jitter of the pauses
     * @param pauses waits between attempts
     */
    RowStores(Clock clock, RandomGenerator random, Retries.Pauses pauses) {
        retries = new Retries(LIMITS, clock, random, pauses);
    }

    /** Returns the maximum number of rows of a write for a pipeline. */
    static int rowsMax(Pipeline pipeline) {
        return pipeline.stores().stream()
                .mapToInt(store -> store.store().batchRowsMax())
                .min()
                .orElse(10_000);
    }

    @Override
    public boolean hasEarlierRows() {
        return true;
    }

    /**
     * {@inheritDoc}
     *
     * @throws JobException when a store refuses the rows, or accepts none for too long
     * @throws InterruptedIOException when the thread is interrupted
     */
    @Override
    public void write(Pipeline pipeline, List<Row> rows) throws IOException {
        int max = rowsMax(pipeline);
        for (int from = 0; from < rows.size(); from += max) {
            List<Row> batch = rows.subList(from, Math.min(rows.size(), from + max));
            for (NamedStore store : pipeline.stores()) {
                untilAccepted(store.name(), () -> store.store().write(batch));
                if (pipeline.isVerified()) {
                    untilAccepted(store.name(), () -> verify(store, batch));
                }
            }
        }
    }

    private static void verify(NamedStore store, List<Row> batch) throws StoreException {
        Map<Row, Long> found = new HashMap<>();
        for (Row row : ((VerifiableStore) store.store()).read(batch)) {
            found.put(identity(row), row.bits());
        }
        List<Row> unseen = batch.stream()
                .filter(row -> !Objects.equals(found.get(identity(row)), row.bits()))
                .toList();
        Set<Row> superseded = unseen.isEmpty() ? Set.of() : superseded(store, unseen);
        for (Row row : unseen) {
            if (!superseded.contains(identity(row))) {
                store.store().write(batch);
                throw new StoreException("store " + store.name() + " does not have " + row + " yet", true, null);
            }
        }
    }

    /** Returns the identities of rows that a cycle has written: rows of a job never overwrite rows of cycles. */
    private static Set<Row> superseded(NamedStore store, List<Row> rows) throws StoreException {
        return store.store() instanceof ShardStore shards
                ? shards.superseding(rows, RowVersion.NONE).stream()
                        .map(RowStores::identity)
                        .collect(Collectors.toSet())
                : Set.of();
    }

    private static Row identity(Row row) {
        return new Row(row.metric(), row.tags(), row.timeMs(), row.isLong(), 0);
    }

    private void untilAccepted(String store, Call call) throws IOException {
        try {
            retries.run(
                    () -> {
                        call.run();
                        return store;
                    },
                    StoreException.class,
                    failure -> failure.retryable() ? Optional.of(Duration.ZERO) : Optional.empty());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a store was away");
        } catch (StoreException e) {
            throw new JobException(
                    e.retryable()
                            ? "store " + store + " accepts no rows since "
                                    + LIMITS.timeMax().toMinutes() + " minutes: " + e.getMessage()
                                    + ". Repair the store, then run the job again to continue."
                            : "store " + store + " refuses rows: " + e.getMessage(),
                    e);
        }
    }
}
