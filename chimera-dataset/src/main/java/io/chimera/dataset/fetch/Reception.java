package io.chimera.dataset.fetch;

import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.Retries;
import io.chimera.dataset.source.SourceException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads that do nothing but receive ranges, so that computation cannot keep bytes waiting at the source
 * (Stream&amp;Compute and Copy&amp;Compute, III-B: with fully loaded cores, the transfer fell to about a fifth). Any
 * thread.
 */
public final class Reception implements AutoCloseable {
    private final ExecutorService threads;
    private final Retries retries;
    private final AtomicLong bytes = new AtomicLong();

    /**
     * Starts the threads.
     *
     * @param name begin of the names of the threads
     * @param rangesMax maximum number of ranges under way
     * @param retries rule for failed reads
     */
    public Reception(String name, int rangesMax, Retries retries) {
        this(Executors.newFixedThreadPool(rangesMax, new Named(name, new AtomicInteger())), retries);
    }

    /**
     * Uses given threads.
     *
     * @param threads threads of the reception alone; closed with it
     * @param retries rule for failed reads
     */
    public Reception(ExecutorService threads, Retries retries) {
        this.threads = threads;
        this.retries = retries;
    }

    private record Named(String name, AtomicInteger number) implements ThreadFactory {
        @Override
        public Thread newThread(Runnable task) {
            Thread thread = new Thread(task, name + "-" + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        }
    }

    /**
     * Requests a range.
     *
     * @param source source of the object
     * @param object the object
     * @param offset offset of the first byte
     * @param into receives the bytes from its position to its limit; must not be used until the future is done
     * @return future without a value; fails with a {@link SourceException} after the last attempt
     */
    Future<?> request(DataSource source, DataObject object, long offset, ByteBuffer into) {
        int start = into.position();
        return threads.submit(() -> {
            retries.run(() -> {
                source.read(object, offset, into.position(start));
                return into;
            });
            bytes.addAndGet(into.limit() - start);
            return null;
        });
    }

    /**
     * Requests something other than a range.
     *
     * @param <T> result
     * @param attempt the attempt; may run several times
     * @return future of the result; fails with a {@link SourceException} after the last attempt
     */
    <T> Future<T> request(Retries.Attempt<T> attempt) {
        return threads.submit(() -> retries.run(attempt));
    }

    /**
     * Waits for a request.
     *
     * @param <T> result
     * @param request a request of this reception
     * @return the result
     * @throws InterruptedIOException when the thread is interrupted
     * @throws IOException the failure of the last attempt
     */
    static <T> T await(Future<T> request) throws IOException {
        try {
            return request.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the source was awaited");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException fault) {
                throw fault;
            }
            throw new IOException("a request to the source failed", e.getCause());
        }
    }

    /** Returns the number of bytes received so far. */
    public long bytes() {
        return bytes.get();
    }

    /** Interrupts all reads. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
