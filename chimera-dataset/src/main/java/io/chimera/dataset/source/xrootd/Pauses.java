package io.chimera.dataset.source.xrootd;

import io.chimera.common.agent.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Pauses of calling threads, by the clock. {@link #close} ends all of them. Any thread. */
final class Pauses {
    /** Real time between two looks at the clock. */
    private static final long LOOK_MS = 20;

    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closed = lock.newCondition();
    private boolean isClosed;

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
        lock.lock();
        try {
            while (!isClosed && clock.nanoTime() - startNs < time.toNanos()) {
                closed.await(LOOK_MS, TimeUnit.MILLISECONDS);
            }
            return !isClosed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            isClosed = true;
            closed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
