package io.chimera.bench.paper.disk;

import io.chimera.bench.load.BodySource;
import io.chimera.bench.load.HttpConnections;
import io.chimera.bench.load.LoadConnection;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Load of more requests than an input accepts at a time: each connection sends a request, waits for the answer, pauses
 * after a 503 and sends the same request again.
 */
final class SaturatedLoad {
    /**
     * Points per request: 1 MB of points of 500 bytes, so 80 requests are more than the 64 MiB of bodies that an input
     * accepts at a time.
     */
    private static final int BODY_POINTS = 2_000;

    private static final int CONNECTIONS = 80;
    private static final int BODIES = 30;
    private static final long PAUSE_MS = 500;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final AtomicLong bodies = new AtomicLong();
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong broken = new AtomicLong();
    private final BodySource source;
    private volatile boolean isEnded;

    SaturatedLoad() {
        PointShape shape = PointShape.FOUR_FIELDS;
        source =
                BodySource.repeating(PointText.of(shape).lines(BODIES * BODY_POINTS), BODY_POINTS * shape.lineLength());
    }

    /** Sends to the inputs for some seconds; returns when all requests have their answer. */
    void send(List<String> inputs, int seconds) throws IOException, InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        try (HttpConnections connections = new HttpConnections(inputs, CONNECTIONS)) {
            connections.run(PATIENCE, connection -> send(connection, endNs));
        } finally {
            isEnded = true;
        }
    }

    private void send(LoadConnection connection, long endNs) throws IOException, InterruptedException {
        while (System.nanoTime() - endNs < 0) {
            long body = bodies.getAndIncrement();
            while (!isAccepted(connection, body) && System.nanoTime() - endNs < 0) {
                Thread.sleep(PAUSE_MS);
            }
        }
    }

    private boolean isAccepted(LoadConnection connection, long body) throws IOException {
        boolean isAccepted;
        try {
            isAccepted = connection.offer(source.body(body));
        } catch (SocketException | EOFException e) {
            // a node answers before the end of the body and closes; the close may overtake the answer
            broken.incrementAndGet();
            connection.reopen();
            return false;
        }
        if (isAccepted) {
            accepted.addAndGet(BODY_POINTS);
        } else {
            refused.incrementAndGet();
        }
        return isAccepted;
    }

    /** Returns whether the load has ended. Any thread. */
    boolean isEnded() {
        return isEnded;
    }

    /** Returns the number of acknowledged points. Any thread. */
    long accepted() {
        return accepted.get();
    }

    /** Returns the number of connections that ended before the answer was read. Any thread. */
    long broken() {
        return broken.get();
    }

    /** Returns the number of answers 503. Any thread. */
    long refused() {
        return refused.get();
    }
}
