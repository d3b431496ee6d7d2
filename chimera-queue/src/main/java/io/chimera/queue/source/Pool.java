package io.chimera.queue.source;

import io.chimera.api.HotPath;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Pool of objects reused between requests. The lowest occupied place is taken first, so that the pool holds few more
 * objects than are in use at the same time, and the same few objects stay warm in the caches. Thread-safe, without
 * locks or allocation.
 *
 * @param <T> type of the objects
 */
final class Pool<T> {
    private final AtomicReferenceArray<T> places;

    /** Creates a pool with a maximum size. */
    Pool(int placesMax) {
        places = new AtomicReferenceArray<>(placesMax);
    }

    /** Removes and returns an object; null when the pool is empty. */
    @HotPath
    T take() {
        for (int i = 0; i < places.length(); i++) {
            T thing = places.getPlain(i) == null ? null : places.getAndSet(i, null);
            if (thing != null) {
                return thing;
            }
        }
        return null;
    }

    /** Adds an object; false when the pool is full. */
    @HotPath
    boolean offer(T thing) {
        for (int i = 0; i < places.length(); i++) {
            if (places.getPlain(i) == null && places.compareAndSet(i, null, thing)) {
                return true;
            }
        }
        return false;
    }
}
