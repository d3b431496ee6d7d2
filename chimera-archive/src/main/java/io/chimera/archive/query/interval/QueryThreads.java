package io.chimera.archive.query.interval;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for searches and reads of queries. Idle threads are kept for a while, because a thread start takes as long as
 * a search without a match. Each stream of a query uses one thread for its search and {@link IntervalReads#AHEAD} for
 * reads; the callers bound the number of queries.
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

    /** Runs a task at once on another thread. */
    static void run(Runnable task) {
        THREADS.execute(task);
    }
}
