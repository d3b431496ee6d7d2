package io.chimera.dataset.source.xrootd;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs a task regularly on a daemon thread until closed. */
final class Housekeeping {
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Runnable task;
    private final long periodNs;

    /**
     * Starts the thread.
     *
     * @param name name of the thread
     * @param period real time between two runs; the task decides by its own clock
     * @param task must not throw
     */
    static Housekeeping start(String name, Duration period, Runnable task) {
        Housekeeping housekeeping = new Housekeeping(period, task);
        Thread thread = new Thread(housekeeping::run, name);
        thread.setDaemon(true);
        thread.start();
        return housekeeping;
    }

    private Housekeeping(Duration period, Runnable task) {
        this.periodNs = period.toNanos();
        this.task = task;
    }

    private void run() {
        while (isDue()) {
            task.run();
        }
    }

    /** Waits for the next run; false after the end. */
    private boolean isDue() {
        try {
            return !closed.await(periodNs, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    void close() {
        closed.countDown();
    }
}
