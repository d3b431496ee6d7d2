package io.chimera.apps.archive;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads that answer questions, each one at a time. Fewer work than there are: a turn is the right to, and who waits for a client gives it
 * to another until the client has taken what was sent. So whoever has a turn and asks no other node waits for nobody but the disk. Any
 * thread.
 */
final class AnswerThreads {
    private final ThreadPoolExecutor threads;
    private final Semaphore turns;

    /**
     * Threads that are made as they are needed.
     *
     * @param answers under way at a time
     * @param working of them at a time
     * @param waiting questions beside them that wait until one is over
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

    /** The turns of those who answer. */
    Semaphore turns() {
        return turns;
    }

    /**
     * Runs an answer.
     *
     * @throws java.util.concurrent.RejectedExecutionException when as many as may be wait, or nothing is answered any more
     */
    void execute(Runnable answering) {
        threads.execute(answering);
    }

    /** Takes no more. Those that wait are still run. */
    void shutdown() {
        threads.shutdown();
    }

    /** The same, and interrupts who waits for others. */
    void interrupt() {
        threads.shutdownNow().forEach(Runnable::run);
    }

    /** Waits until all have ended; whether they have. */
    boolean awaitEnd(long seconds) throws InterruptedException {
        return threads.awaitTermination(seconds, TimeUnit.SECONDS);
    }
}
