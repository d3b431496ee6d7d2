package io.chimera.bench.load;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Endless load over HTTP: connections send at full speed, but only as many points as are permitted. So the sender can
 * follow the rate of a slow cluster, instead of filling its journals. Used by one thread.
 */
public final class BoundedLoad implements AutoCloseable {
    /** Limit on the duration of a run, for connections without any answer. */
    private static final Duration PATIENCE = Duration.ofHours(1);

    private static final long CHECK_MS = 20;
    private static final long END_PATIENCE_S = 60;

    private final Feed feed;
    private final HttpConnections connections;
    private final FutureTask<Void> sending;

    /** Permits for bodies; fair, because an input closes connections without requests. */
    private final Semaphore permits = new Semaphore(0, true);

    private final AtomicLong bodies = new AtomicLong();
    private volatile boolean isEnded;
    private long permitted;

    /**
     * Connects, and sends nothing yet.
     *
     * @param targets host:port of the inputs
     * @param count number of connections, and so of requests that wait for an answer
     */
    public BoundedLoad(List<String> targets, int count, Feed feed) throws IOException {
        this.feed = feed;
        connections = new HttpConnections(targets, count);
        sending = new FutureTask<>(() -> {
            connections.run(PATIENCE, this::send);
            return null;
        });
        Thread thread = new Thread(sending, "bounded-load");
        thread.setDaemon(true);
        thread.start();
    }

    private void send(LoadConnection connection) throws IOException, InterruptedException {
        while (!isEnded) {
            if (permits.tryAcquire(CHECK_MS, TimeUnit.MILLISECONDS)) {
                connection.post(feed.bodies().body(bodies.getAndIncrement()));
            }
        }
    }

    /**
     * Permits points, counted since the start. A lower number than before changes nothing.
     *
     * @throws IOException when a request failed
     */
    public void permit(long points) throws IOException, InterruptedException {
        if (sending.isDone()) {
            await(0);
        }
        long more = points / feed.bodyPoints() - permitted;
        if (more > 0) {
            permitted += more;
            permits.release(Math.toIntExact(more));
        }
    }

    /**
     * Withdraws unused permits, and returns the number of points sent or being sent since the start. Until the next
     * permit only requests without an answer are left.
     */
    public long pause() {
        permitted -= permits.drainPermits();
        return permitted * feed.bodyPoints();
    }

    /**
     * Waits for the answers to all requests, and sends no more.
     *
     * @return number of accepted points
     * @throws IOException when a request failed or is not answered
     */
    public long finish() throws IOException, InterruptedException {
        isEnded = true;
        await(END_PATIENCE_S);
        return bodies.get() * feed.bodyPoints();
    }

    private void await(long seconds) throws IOException, InterruptedException {
        try {
            sending.get(seconds, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("Requests are not answered within " + seconds + " s.", e);
        }
    }

    @Override
    public void close() throws IOException {
        isEnded = true;
        connections.close();
    }
}
