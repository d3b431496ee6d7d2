package io.chimera.bench.datasets.event;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Pace of a worker that stands for a machine of its own: the worker rests after each event, as if a slower processor
 * computed the event. So many workers fit on few cores, and a network is the only thing that the workers share. Time
 * without events is lost, as on a processor. One thread.
 */
final class WorkerPace {
    private static final double NS_PER_S = TimeUnit.SECONDS.toNanos(1);

    /** Time that a late wake-up may be made up for: pauses of a busy machine must not slow the worker down. */
    private static final long MADE_UP_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final long bytesPerSecond;
    private long dueNs = System.nanoTime();

    /**
     * Creates a pace.
     *
     * @param bytesPerSecond 0: never rests
     */
    WorkerPace(long bytesPerSecond) {
        if (bytesPerSecond < 0) {
            throw new IllegalArgumentException(
                    EventParserType.PACE + " is " + bytesPerSecond + "; expected at least 0 bytes per second");
        }
        this.bytesPerSecond = bytesPerSecond;
    }

    /** Rests until an event of this length is computed; returns at once when the thread is interrupted. */
    void spend(int bytes) {
        if (bytesPerSecond == 0) {
            return;
        }
        long nowNs = System.nanoTime();
        long startNs = dueNs - nowNs > -MADE_UP_NS ? dueNs : nowNs;
        dueNs = startNs + (long) (bytes * NS_PER_S / bytesPerSecond);
        while (dueNs - System.nanoTime() > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(this, dueNs - System.nanoTime());
        }
    }
}
