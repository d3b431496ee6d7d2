package io.chimera.archive.query;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads that search and read for questions. They stay for a while: starting one takes as long as a search that finds nothing. A
 * question has one that searches and {@link IntervalReads#AHEAD} that read for each stream that it asks; how many questions there are is
 * bounded by who takes them.
 */
final class QueryThreads {
    private static final long IDLE_S = 10;

    private static final ThreadPoolExecutor THREADS =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_S, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "query-work");
                thread.setDaemon(true);
                return thread;
            });

    private QueryThreads() {}

    /** Runs a task at once, beside the caller. */
    static void run(Runnable task) {
        THREADS.execute(task);
    }
}
