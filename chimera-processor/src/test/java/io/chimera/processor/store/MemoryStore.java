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
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A store in memory that overwrites like a real one: by metric, tags, time and type. Can be made unreachable, to refuse
 * rows, to lose or to spoil them after it took them, and to call back before each write, where a test may let time pass.
 * Any thread.
 */
public final class MemoryStore implements VerifiableStore {
    /** What a row is kept by. */
    public record Key(String metric, Tags tags, long timeMs, boolean isLong) {}

    private final Map<Key, Row> rows = new LinkedHashMap<>();
    private final List<Integer> batches = new ArrayList<>();
    private final int batchRowsMax;
    private Predicate<Row> refused = row -> false;
    private UnaryOperator<Row> kept = row -> row;
    private Consumer<List<Row>> before = batch -> {};
    private Runnable after = () -> {};
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
    public int batchRowsMax() {
        return batchRowsMax;
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
        }
        if (batch.isEmpty()) {
            return;
        }
        for (Row row : batch) {
            Row stored = kept.apply(row);
            if (stored != null) {
                rows.put(key(row), stored);
            }
            written++;
        }
        batches.add(batch.size());
        after.run();
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
