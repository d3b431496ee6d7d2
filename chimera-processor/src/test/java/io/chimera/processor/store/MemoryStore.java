package io.chimera.processor.store;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.StoreException;
import io.chimera.api.spi.VerifiableStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A store in memory that overwrites like a real one: by metric, tags, time and type. Can be made unreachable, to refuse
 * rows, to lose or to spoil them after it took them, and to call back before each write, where a test may let time pass.
 * Any thread.
 */
public final class MemoryStore implements VerifiableStore {
    /** What becomes of a write and of its answer. */
    public enum Outcome {
        /** Written, and said so. */
        WRITTEN,
        /** Not written, and said so. */
        FAILED,
        /** Written, but an error is answered. */
        WRITTEN_BUT_FAILED,
        /** An error is answered, and the rows are written some time later. */
        LATE_BUT_FAILED,
        /** Not written, and the content is refused. */
        REFUSED,
        /** Success is answered, and the rows are written some time later. */
        LATE,
        /** Success is answered, and nothing is ever written. */
        FORGOTTEN
    }

    /** What a row is kept by. */
    public record Key(String metric, Tags tags, long timeMs, boolean isLong) {}

    private final Map<Key, Row> rows = new LinkedHashMap<>();
    private final List<Integer> batches = new ArrayList<>();
    private final int batchRowsMax;
    private Predicate<Row> refused = row -> false;
    private Predicate<Row> failing = row -> false;
    private Row probeRow;
    private UnaryOperator<Row> kept = row -> row;
    private Consumer<List<Row>> before = batch -> {};
    private Runnable after = () -> {};
    private Supplier<Outcome> outcomes = () -> Outcome.WRITTEN;
    private final List<List<Row>> late = new ArrayList<>();
    private boolean isAppending;
    private boolean isReachable = true;
    private boolean isClosed;
    private int attempts;
    private int reads;
    private long written;

    /** An empty store that takes batches of any size a real one takes. */
    public MemoryStore() {
        this(10_000);
    }

    /** An empty store that takes batches of a limited size. */
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

    /** Has a probe row from now on. */
    public synchronized void probeRow(Row row) {
        probeRow = row;
    }

    @Override
    public synchronized void write(List<Row> batch) throws StoreException {
        attempts++;
        before.accept(batch);
        if (isClosed) {
            throw new IllegalStateException("The store is closed.");
        }
        if (!isReachable) {
            throw new StoreException("The memory store is switched off. Switch it on.", true, null);
        }
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
        if (batch.isEmpty()) {
            return;
        }
        Outcome outcome = outcomes.get();
        switch (outcome) {
            case WRITTEN, WRITTEN_BUT_FAILED -> take(batch);
            case LATE, LATE_BUT_FAILED -> late.add(List.copyOf(batch));
            case FAILED, REFUSED, FORGOTTEN -> {}
        }
        if (outcome == Outcome.REFUSED) {
            throw new StoreException("The memory store is made to refuse all content.", false, null);
        }
        if (outcome == Outcome.FAILED || outcome == Outcome.WRITTEN_BUT_FAILED || outcome == Outcome.LATE_BUT_FAILED) {
            throw new StoreException("The memory store is made to fail (" + outcome + "). Try again.", true, null);
        }
        batches.add(batch.size());
        after.run();
    }

    private void take(List<Row> batch) {
        for (Row row : batch) {
            Row stored = kept.apply(row);
            if (stored != null) {
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

    /** Decides what becomes of each write that is not empty from now on. */
    public synchronized void outcomes(Supplier<Outcome> newOutcomes) {
        outcomes = newOutcomes;
    }

    /** Adds to a row that is there instead of overwriting it, as a store does that only appends. */
    public synchronized void append(boolean appends) {
        isAppending = appends;
    }

    /** Number of batches that are still to be written. */
    public synchronized int late() {
        return late.size();
    }

    /**
     * Writes one of the batches that are late.
     *
     * @param index of it among those that are still to be written
     * @param again whether it is to be written once more later
     */
    public synchronized void applyLate(int index, boolean again) {
        take(late.get(index));
        if (!again) {
            late.remove(index);
        }
    }

    /** The row of a key, or null. */
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

    /** Keeps another row than it takes; null keeps none. */
    public synchronized void keep(UnaryOperator<Row> what) {
        kept = what;
    }

    /** Times that somebody read rows back while the store was reachable or not. */
    public synchronized int reads() {
        return reads;
    }

    /** Makes the store reachable or not. */
    public synchronized void reachable(boolean reachable) {
        isReachable = reachable;
    }

    /** Refuses rows, and every batch that holds one, for their content. */
    public synchronized void refuse(Predicate<Row> which) {
        refused = which;
    }

    /** Fails at every batch that holds one of these rows, as a store does that does not know why. */
    public synchronized void failAt(Predicate<Row> which) {
        failing = which;
    }

    /** Calls back before each write, with its rows. */
    public synchronized void beforeWrite(Consumer<List<Row>> callback) {
        before = callback;
    }

    /** Calls back after each batch that was taken. */
    public synchronized void afterWrite(Runnable callback) {
        after = callback;
    }

    /** Shows rows that were taken, but not kept. */
    public synchronized void apply(List<Row> late) {
        late.forEach(row -> rows.put(key(row), row));
    }

    /** All rows, in the order in which they came first. */
    public synchronized List<Row> rows() {
        return List.copyOf(rows.values());
    }

    /** Values by {@code metric{tags}@time}, for comparison. */
    public synchronized Map<String, Double> values() {
        Map<String, Double> values = new TreeMap<>();
        rows.values()
                .forEach(row -> values.put(row.metric() + row.tags().asMap() + "@" + row.timeMs(), row.asDouble()));
        return values;
    }

    /** Sizes of the batches that were taken. */
    public synchronized List<Integer> batches() {
        return List.copyOf(batches);
    }

    /** Times that somebody tried to write. */
    public synchronized int attempts() {
        return attempts;
    }

    /** Rows taken, those that overwrote included. */
    public synchronized long written() {
        return written;
    }

    @Override
    public synchronized void close() {
        isClosed = true;
    }

    /** Whether the store was closed. */
    public synchronized boolean isClosed() {
        return isClosed;
    }
}
