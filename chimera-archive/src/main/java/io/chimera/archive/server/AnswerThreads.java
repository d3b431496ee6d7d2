package io.chimera.archive.server;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs answers on a pool of threads, one answer per thread. A thread works only while it holds one of fewer permits
 * ("turns"). While it waits for a client, it releases its permit to another thread. A thread with a permit therefore
 * waits for the disk only, unless its question asks other nodes. Any thread.
 */
final class AnswerThreads {
    private final ThreadPoolExecutor threads;
    private final Semaphore turns;

    /**
     * Creates a pool that starts its threads on demand.
     *
     * @param answers maximum number of answers under way
     * @param working maximum number of answers working at a time
     * @param waiting capacity of the queue of questions that wait for a thread
     */
    AnswerThreads(String name, int answers, int working, int waiting) {
        threads = new ThreadPoolExecutor(
                answers,
                answers,
                1,
                TimeUnit.SECONDS,
                waiting == 0 ? new SynchronousQueue<>() : new ArrayBlockingQueue<>(waiting),
                task -> QueryService.thread(name, task));
        threads.allowCoreThreadTimeOut(true);
        turns = new Semaphore(working, true);
    }

    /** Returns the permits of the working answers. */
    Semaphore turns() {
        return turns;
    }

    /**
     * Runs an answer.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the queue is full or the pool is shut down
     */
    void execute(Runnable answering) {
        threads.execute(answering);
    }

    /** Rejects further answers. Queued answers still run. */
    void shutdown() {
        threads.shutdown();
    }

    /** Shuts down, interrupts running answers, and runs the queued answers on the calling thread. */
    void interrupt() {
        threads.shutdownNow().forEach(Runnable::run);
    }

    /** Waits for the end of all threads. Returns false on timeout. */
    boolean awaitEnd(long seconds) throws InterruptedException {
        return threads.awaitTermination(seconds, TimeUnit.SECONDS);
    }
}
