package io.chimera.dataset.source.xrootd;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** Spreads calls over lanes: a call enters the lane with the fewest calls. Any thread. */
final class Lanes {
    private final AtomicIntegerArray calls;

    Lanes(int count) {
        calls = new AtomicIntegerArray(count);
    }

    /** Returns the lane; the caller leaves it. Two threads at the same instant may enter the same lane. */
    int enter() {
        int least = 0;
        for (int lane = 1; lane < calls.length(); lane++) {
            least = calls.get(lane) < calls.get(least) ? lane : least;
        }
        calls.incrementAndGet(least);
        return least;
    }

    void leave(int lane) {
        calls.decrementAndGet(lane);
    }
}
