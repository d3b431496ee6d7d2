package io.chimera.dataset.source.xrootd;

import io.chimera.common.agent.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Pauses of calling threads, by the clock. {@link #close} ends all of them. Any thread. */
final class Pauses {
    /** Real time between two looks at the clock. */
    private static final long LOOK_MS = 20;

    private final Clock clock;
    private final CountDownLatch closed = new CountDownLatch(1);

    Pauses(Clock clock) {
        this.clock = clock;
    }

    /**
     * Waits.
     *
     * @return false when the pauses were closed or the thread was interrupted; the interrupt remains set
     */
    boolean pause(Duration time) {
        long startNs = clock.nanoTime();
        try {
            while (clock.nanoTime() - startNs < time.toNanos()) {
                if (closed.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
                    return false;
                }
            }
            return closed.getCount() > 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void close() {
        closed.countDown();
    }
}
