package io.chimera.dataset.cluster;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Work on a thread. Unlike a cancelled {@link Future}, a cancelled attempt has ended only when its thread uses its
 * files no more, so the same work can begin again. Methods by the worker's thread.
 */
final class TaskAttempt {
    private final int ofOrder;
    private final Body body;
    private final Future<Object> ended;

    private static final class Body implements Callable<Object> {
        private final Callable<Object> work;
        private boolean isCancelled;
        private @Nullable Thread thread;

        Body(Callable<Object> work) {
            this.work = work;
        }

        @Override
        public Object call() throws Exception {
            if (!begin()) {
                throw new CancellationException();
            }
            try {
                return work.call();
            } finally {
                end();
            }
        }

        private synchronized boolean begin() {
            thread = Thread.currentThread();
            return !isCancelled;
        }

        private synchronized void end() {
            thread = null;
            Thread.interrupted(); // a late interruption is not meant for the next work of the thread
        }

        synchronized void cancel() {
            isCancelled = true;
            if (thread != null) {
                thread.interrupt();
            }
        }

        synchronized boolean isCancelled() {
            return isCancelled;
        }
    }

    private TaskAttempt(int ofOrder, Body body, Future<Object> ended) {
        this.ofOrder = ofOrder;
        this.body = body;
        this.ended = ended;
    }

    /**
     * Starts work.
     *
     * @param ofOrder attempt of the order for which the work begins
     * @param threads threads of the work
     * @param work the work
     */
    static TaskAttempt start(int ofOrder, TaskThreads threads, Callable<Object> work) {
        Body body = new Body(work);
        return new TaskAttempt(ofOrder, body, threads.submit(body));
    }

    /** Returns the attempt of the order for which the work began. */
    int ofOrder() {
        return ofOrder;
    }

    /** Interrupts the work. */
    void cancel() {
        body.cancel();
    }

    /** Returns whether the work was cancelled, no matter whether it still succeeded. */
    boolean isCancelled() {
        return body.isCancelled();
    }

    boolean hasEnded() {
        return ended.isDone();
    }

    /** Returns the result of ended work. */
    Object result() throws ExecutionException, InterruptedException {
        return ended.get();
    }

    /** Waits for the end. */
    void awaitEnd(Duration atMost) throws InterruptedException {
        try {
            ended.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // only the end matters
        }
    }
}
