package io.chimera.dataset.source.xrootd;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Runs a task regularly on a daemon thread until closed. */
final class Housekeeping {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closed = lock.newCondition();
    private final Runnable task;
    private final long periodNs;
    private boolean isClosed;

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
        lock.lock();
        try {
            long restNs = periodNs;
            while (!isClosed && restNs > 0) {
                restNs = closed.awaitNanos(restNs);
            }
            return !isClosed;
        } catch (InterruptedException e) {
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
