package io.chimera.testkit.store;

import io.chimera.api.model.Row;
import io.chimera.api.model.RowVersion;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.StoreException;
import io.chimera.api.spi.VerifiableStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A store in memory that overwrites like a real store: by metric, tags, time and type. Tests can make the store
 * unreachable, let the store refuse, lose or corrupt rows, and set a callback before each write, for example to advance
 * time. Any thread.
 */
public final class MemoryStore implements VerifiableStore {
    /** Fate of a write and of its answer. */
    public enum Outcome {
        /** Written, with success as answer. */
        WRITTEN,
        /** Not written, with an error as answer. */
        FAILED,
        /** Written, with an error as answer. */
        WRITTEN_BUT_FAILED,
        /** Written later, with an error as answer. */
        LATE_BUT_FAILED,
        /** Not written, with a refusal of the content as answer. */
        REFUSED,
        /** Written later, with success as answer. */
        LATE,
        /** Never written, with success as answer. */
        FORGOTTEN
    }

    /** Identity of a row: metric, tags, time, type. */
    public record Key(String metric, Tags tags, long timeMs, boolean isLong) {}

    /** Rows to be written later. */
    private record Late(List<Row> rows, RowVersion version) {}

    private final Map<Key, Row> rows = new LinkedHashMap<>();
    private final Map<Key, RowVersion> versions = new HashMap<>();
    private final List<Integer> batches = new ArrayList<>();
    private final int batchRowsMax;
    private Predicate<Row> refused = row -> false;
    private Predicate<Row> failing = row -> false;
    private Row probeRow;
    private UnaryOperator<Row> kept = row -> row;
    private Consumer<List<Row>> before = batch -> {};
    private Runnable after = () -> {};
    private Supplier<Outcome> outcomes = () -> Outcome.WRITTEN;
    private BooleanSupplier failsBatch = () -> false;
    private final List<Late> late = new ArrayList<>();
    private boolean isAppending;
    private boolean isReachable = true;
    private boolean isClosed;
    private int attempts;
    private int reads;
    private long written;

    /** Creates an empty store with the batch size of a real store. */
    public MemoryStore() {
        this(10_000);
    }

    /** Creates an empty store with a limited batch size. */
    public MemoryStore(int batchRowsMax) {
        this.batchRowsMax = batchRowsMax;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public int batchRowsMax() {
        return batchRowsMax;
    }

    @Override
    public synchronized Optional<Row> probeRow() {
        return Optional.ofNullable(probeRow);
    }

    /** Sets the probe row. */
    public synchronized void probeRow(Row row) {
        probeRow = row;
    }

    @Override
    public synchronized void write(List<Row> batch) throws StoreException {
        check(batch);
        if (!batch.isEmpty()) {
            write(batch, RowVersion.NONE, outcomes.get());
            batches.add(batch.size());
            after.run();
        }
    }

    /** Writes all rows of a shard at once; rows of a higher version stay. */
    synchronized void commit(List<Row> shard, RowVersion version) throws StoreException {
        before.accept(shard);
        checkReachable();
        if (!shard.isEmpty()) {
            Outcome outcome = outcomes.get();
            // a refusal of the content is the result of a write
            write(shard, version, outcome == Outcome.REFUSED ? Outcome.FAILED : outcome);
            after.run();
        }
    }

    /** Throws the exception of a batch of a shard. */
    synchronized void checkBatch(List<Row> batch) throws StoreException {
        check(batch);
        if (!batch.isEmpty() && failsBatch.getAsBoolean()) {
            throw new StoreException("The memory store is made to fail within a shard.", true, null);
        }
    }

    /** Sets the source of failures of batches of a shard. */
    public synchronized void failBatches(BooleanSupplier fails) {
        failsBatch = fails;
    }

    /** Throws the exception of a write of these rows, without a write. */
    synchronized void check(List<Row> batch) throws StoreException {
        attempts++;
        before.accept(batch);
        if (isClosed) {
            throw new IllegalStateException("The store is closed.");
        }
        checkReachable();
        if (batch.size() > batchRowsMax) {
            throw new IllegalArgumentException("A batch of " + batch.size() + " rows.");
        }
        for (Row row : batch) {
            if (refused.test(row)) {
                throw new StoreException("The memory store does not want " + row.metric() + ".", false, null);
            }
            if (failing.test(row)) {
                throw new StoreException("The memory store fails at " + row.metric() + ".", true, null);
            }
        }
    }

    private void checkReachable() throws StoreException {
        if (!isReachable) {
            throw new StoreException("The memory store is switched off. Switch it on.", true, null);
        }
    }

    private void write(List<Row> batch, RowVersion version, Outcome outcome) throws StoreException {
        switch (outcome) {
            case WRITTEN, WRITTEN_BUT_FAILED -> take(batch, version);
            case LATE, LATE_BUT_FAILED -> late.add(new Late(List.copyOf(batch), version));
            case FAILED, REFUSED, FORGOTTEN -> {}
        }
        if (outcome == Outcome.REFUSED) {
            throw new StoreException("The memory store is made to refuse all content.", false, null);
        }
        if (outcome == Outcome.FAILED || outcome == Outcome.WRITTEN_BUT_FAILED || outcome == Outcome.LATE_BUT_FAILED) {
            throw new StoreException("The memory store is made to fail (" + outcome + "). Try again.", true, null);
        }
    }

    private void take(List<Row> batch, RowVersion version) {
        for (Row row : batch) {
            Row stored = kept.apply(row);
            RowVersion before = versions.getOrDefault(key(row), RowVersion.NONE);
            if (stored != null && before.compareTo(version) <= 0) {
                versions.put(key(row), version);
                put(stored);
            }
            written++;
        }
    }

    private void put(Row row) {
        Row before = rows.put(key(row), row);
        if (isAppending && before != null) {
            rows.put(
                    key(row),
                    row.isLong()
                            ? Row.ofLong(row.metric(), row.tags(), row.timeMs(), before.bits() + row.bits())
                            : Row.ofDouble(row.metric(), row.tags(), row.timeMs(), before.asDouble() + row.asDouble()));
        }
    }

    /** Sets the source of the outcomes of all following writes that are not empty. */
    public synchronized void outcomes(Supplier<Outcome> newOutcomes) {
        outcomes = newOutcomes;
    }

    /** Makes the store add to an existing row instead of overwriting the row, like an append-only store. */
    public synchronized void append(boolean appends) {
        isAppending = appends;
    }

    /** Returns the number of batches still to be written. */
    public synchronized int late() {
        return late.size();
    }

    /**
     * Writes a late batch.
     *
     * @param index index among the late batches
     * @param again whether the batch stays late and is written again
     */
    public synchronized void applyLate(int index, boolean again) {
        take(late.get(index).rows, late.get(index).version);
        if (!again) {
            late.remove(index);
        }
    }

    /** Returns the row of a key; null without a row. */
    public synchronized Row row(Key key) {
        return rows.get(key);
    }

    private static Key key(Row row) {
        return new Key(row.metric(), row.tags(), row.timeMs(), row.isLong());
    }

    @Override
    public synchronized List<Row> read(List<Row> written) throws StoreException {
        reads++;
        if (!isReachable) {
            throw new StoreException("The memory store is switched off. Switch it on.", true, null);
        }
        if (written.stream().mapToLong(Row::timeMs).distinct().count() > 1) {
            throw new IllegalArgumentException("Rows of several times are read back at once.");
        }
        return written.stream()
                .map(row -> rows.get(key(row)))
                .filter(Objects::nonNull)
                .toList();
    }

    /** Reads the stored rows of a higher version. */
    synchronized List<Row> superseding(List<Row> written, RowVersion version) throws StoreException {
        return read(written).stream()
                .filter(row -> versions.getOrDefault(key(row), RowVersion.NONE).compareTo(version) > 0)
                .toList();
    }

    /** Sets the row to keep in place of a written row; null keeps no row. */
    public synchronized void keep(UnaryOperator<Row> what) {
        kept = what;
    }

    /** Returns the number of reads, including reads while the store was unreachable. */
    public synchronized int reads() {
        return reads;
    }

    /** Makes the store reachable or unreachable. */
    public synchronized void reachable(boolean reachable) {
        isReachable = reachable;
    }

    /** Makes the store refuse matching rows, and every batch with such a row, for their content. */
    public synchronized void refuse(Predicate<Row> which) {
        refused = which;
    }

    /**
     * Makes the store fail with every batch that contains a matching row, like a store that does not know the cause.
     */
    public synchronized void failAt(Predicate<Row> which) {
        failing = which;
    }

    /** Sets a callback before each write, with its rows. */
    public synchronized void beforeWrite(Consumer<List<Row>> callback) {
        before = callback;
    }

    /** Sets a callback after each written batch. */
    public synchronized void afterWrite(Runnable callback) {
        after = callback;
    }

    /** Writes rows that were acknowledged but not kept. */
    public synchronized void apply(List<Row> late) {
        late.forEach(row -> rows.put(key(row), row));
    }

    /** Returns all rows in the order of their first arrival. */
    public synchronized List<Row> rows() {
        return List.copyOf(rows.values());
    }

    /** Returns the values by {@code metric{tags}@time}, for comparison. */
    public synchronized Map<String, Double> values() {
        Map<String, Double> values = new TreeMap<>();
        rows.values()
                .forEach(row -> values.put(row.metric() + row.tags().asMap() + "@" + row.timeMs(), row.asDouble()));
        return values;
    }

    /** Returns the sizes of the written batches. */
    public synchronized List<Integer> batches() {
        return List.copyOf(batches);
    }

    /** Returns the number of attempted writes. */
    public synchronized int attempts() {
        return attempts;
    }

    /** Returns the number of written rows, including overwriting rows. */
    public synchronized long written() {
        return written;
    }

    @Override
    public synchronized void close() {
        isClosed = true;
    }

    /** Returns whether the store was closed. */
    public synchronized boolean isClosed() {
        return isClosed;
    }
}
