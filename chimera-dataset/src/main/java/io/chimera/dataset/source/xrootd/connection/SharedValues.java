package io.chimera.dataset.source.xrootd.connection;

import io.chimera.dataset.source.SourceException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Values that are expensive to create and that threads share: one thread creates a value, and the other threads that
 * ask for its key wait for the same result, or fail with the same failure. An interrupt ends the wait of a thread. A
 * failure is not kept. Ordered by last use.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public final class SharedValues<K, V> {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<K, CompletableFuture<V>> values = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Creates a value.
     *
     * @param <V> type of the value
     */
    @FunctionalInterface
    public interface Creator<V> {
        /**
         * Creates a value. Runs without a lock.
         *
         * @throws SourceException when the value cannot be created now
         */
        V create() throws SourceException;
    }

    /** Creates an empty collection. */
    public SharedValues() {}

    /**
     * Returns the value of a key, and creates it where there is no usable value.
     *
     * @param key the key
     * @param isUsable whether an existing value may be returned; an unusable value is dropped
     * @param creator creates the value
     * @throws SourceException when the value cannot be created now
     */
    public V get(K key, Predicate<V> isUsable, Creator<V> creator) throws SourceException {
        CompletableFuture<V> mine = new CompletableFuture<>();
        CompletableFuture<V> present;
        lock.lock();
        try {
            present = values.get(key);
            if (present == null || isUnusable(present, isUsable)) {
                values.put(key, mine);
                present = mine;
            }
        } finally {
            lock.unlock();
        }
        return present == mine ? create(key, mine, creator) : await(present);
    }

    private static <V> boolean isUnusable(CompletableFuture<V> value, Predicate<V> isUsable) {
        return value.isDone() && (value.isCompletedExceptionally() || !isUsable.test(value.join()));
    }

    private V create(K key, CompletableFuture<V> mine, Creator<V> creator) throws SourceException {
        try {
            V value = creator.create();
            mine.complete(value);
            return value;
        } catch (SourceException | RuntimeException | Error e) {
            lock.lock();
            try {
                values.remove(key, mine);
            } finally {
                lock.unlock();
            }
            mine.completeExceptionally(e);
            throw e;
        }
    }

    private static <V> V await(CompletableFuture<V> value) throws SourceException {
        try {
            return value.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw XrootdConnection.interruption();
        } catch (ExecutionException e) {
            throw XrootdConnection.copy(e.getCause());
        }
    }

    /** Returns all values that exist now, the least recently used first. */
    public List<V> present() {
        lock.lock();
        try {
            return values.values().stream()
                    .filter(SharedValues::isPresent)
                    .map(CompletableFuture::join)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes values.
     *
     * @param condition selects the values; runs with a lock held and must not block
     * @param countMax maximum number of values to remove, the least recently used first
     * @return the removed values
     */
    public List<V> removeIf(Predicate<V> condition, int countMax) {
        List<V> removed = new ArrayList<>();
        lock.lock();
        try {
            Iterator<CompletableFuture<V>> all = values.values().iterator();
            while (all.hasNext() && removed.size() < countMax) {
                CompletableFuture<V> value = all.next();
                if (isPresent(value) && condition.test(value.join())) {
                    removed.add(value.join());
                    all.remove();
                }
            }
            return removed;
        } finally {
            lock.unlock();
        }
    }

    private static boolean isPresent(CompletableFuture<?> value) {
        return value.isDone() && !value.isCompletedExceptionally();
    }

    /** Returns the number of values, those under creation included. */
    public int size() {
        lock.lock();
        try {
            return values.size();
        } finally {
            lock.unlock();
        }
    }
}
