package io.chimera.common.agent;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.ErrorHandler;

/**
 * Work that an agent wants done and does not wait for, such as what a disk takes long for: one piece after the other. Handed
 * in by one thread. Where too much lies there, whoever hands in more does it himself.
 */
public final class Chores implements Executor, AutoCloseable {
    /** A cycle makes two or three. */
    private static final int WAITING_MAX = 64;

    private static final long CLOSE_SECONDS_MAX = 10;

    private final ThreadPoolExecutor thread;
    private final ErrorHandler errors;

    private Chores(ThreadPoolExecutor thread, ErrorHandler errors) {
        this.thread = thread;
        this.errors = errors;
    }

    /** Does each piece at once, on the thread that hands it in, which gets to see what it throws. */
    public static Chores inline() {
        return new Chores(null, null);
    }

    /**
     * Does them on a thread of their own, which starts with the first.
     *
     * @param name of the thread
     * @param errors is told of what a piece throws
     */
    public static Chores onThread(String name, ErrorHandler errors) {
        ThreadPoolExecutor thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING_MAX),
                work -> daemon(work, name),
                new ThreadPoolExecutor.CallerRunsPolicy());
        return new Chores(thread, errors);
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void execute(Runnable work) {
        if (thread == null) {
            work.run();
        } else {
            thread.execute(() -> run(work));
        }
    }

    /**
     * Lets the disk do something else for a while, from within a piece of work; at once where pieces are done inline.
     *
     * @param ns nanoseconds; what is shut down does not wait
     */
    public void rest(long ns) {
        if (thread != null && !thread.isShutdown()) {
            LockSupport.parkNanos(ns);
        }
    }

    private void run(Runnable work) {
        try {
            work.run();
        } catch (Throwable e) {
            errors.onError(e); // whatever it is, the next piece is done
        }
    }

    /** Waits until all that was handed in is done, at most 10 s. */
    @Override
    public void close() {
        if (thread == null) {
            return;
        }
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
