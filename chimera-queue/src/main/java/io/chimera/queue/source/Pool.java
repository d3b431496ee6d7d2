package io.chimera.queue.source;

import io.chimera.api.HotPath;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Things that go from request to request. What is in the lowest place is taken first, so there are hardly more of them than
 * are in use at one time, and the same few are used again and stay warm. Any thread; neither locks nor allocates.
 *
 * @param <T> what is kept
 */
final class Pool<T> {
    private final AtomicReferenceArray<T> places;

    /** A pool that keeps so many at most. */
    Pool(int placesMax) {
        places = new AtomicReferenceArray<>(placesMax);
    }

    /** Takes one out; null when there is none. */
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

    /** Keeps one; false when all places are taken. */
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
