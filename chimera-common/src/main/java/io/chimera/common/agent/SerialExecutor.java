package io.chimera.common.agent;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.ErrorHandler;

/**
 * Serial executor for an agent's slow work, such as disk operations, without waiting for the result. One thread
 * submits. When the queue is full, the submitting thread runs the task (caller-runs).
 */
public final class SerialExecutor implements Executor, AutoCloseable {
    /** Maximum number of queued tasks; a cycle submits two or three. */
    private static final int WAITING_MAX = 64;

    private static final long CLOSE_SECONDS_MAX = 10;

    private final ThreadPoolExecutor thread;
    private final ErrorHandler errors;

    private SerialExecutor(ThreadPoolExecutor thread, ErrorHandler errors) {
        this.thread = thread;
        this.errors = errors;
    }

    /**
     * Creates an executor that runs each task immediately on the submitting thread; the caller gets the task's
     * exceptions.
     */
    public static SerialExecutor inline() {
        return new SerialExecutor(null, null);
    }

    /**
     * Creates an executor with its own thread, started by the first task.
     *
     * @param name name of the thread
     * @param errors handler of exceptions thrown by a task
     */
    public static SerialExecutor onThread(String name, ErrorHandler errors) {
        ThreadPoolExecutor thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING_MAX),
                work -> daemon(work, name),
                new ThreadPoolExecutor.CallerRunsPolicy());
        return new SerialExecutor(thread, errors);
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
     * Pauses the current task to yield the disk to other work; returns immediately in inline mode.
     *
     * @param ns nanoseconds; no pause after the shutdown
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
            errors.onError(e); // no error may prevent the next task
        }
    }

    /** Waits for the completion of all submitted tasks, at most 10 s. */
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
