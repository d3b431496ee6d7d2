package io.chimera.bench.latency;

import io.chimera.bench.load.BodySource;
import io.chimera.bench.load.HttpConnections;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * Requests that are due at fixed times, whether those before them are answered or not. Each goes out on the next free
 * connection, and its wait is counted from the time it was due: where all connections wait for answers, the wait for a
 * connection is in it. So no slow answer hides the requests that should have been sent meanwhile (coordinated omission), and
 * nothing has to be corrected afterwards.
 */
final class OpenLoop {
    /** Waits are kept to three digits, from a microsecond on. */
    private static final long WAIT_NS_MIN = TimeUnit.MICROSECONDS.toNanos(1);

    private static final long WAIT_NS_MAX = TimeUnit.HOURS.toNanos(1);
    private static final int DIGITS = 3;

    /** Time for all threads to be there when the first request is due. */
    private static final long START_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** A cluster that falls behind is given so long after the last request was due. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private OpenLoop() {}

    /**
     * Sends.
     *
     * @param requests how many
     * @param periodNs nanoseconds from one to the next
     * @return the wait of each
     * @throws IOException when the cluster refuses, or falls behind by minutes
     */
    static AbstractHistogram run(HttpConnections connections, BodySource bodies, long requests, double periodNs)
            throws IOException, InterruptedException {
        ConcurrentHistogram waits = new ConcurrentHistogram(WAIT_NS_MIN, WAIT_NS_MAX, DIGITS);
        AtomicLong next = new AtomicLong();
        long startNs = System.nanoTime() + START_NS;
        Duration patience = PATIENCE.plusNanos((long) (requests * periodNs));
        connections.run(patience, connection -> {
            for (long request = next.getAndIncrement(); request < requests; request = next.getAndIncrement()) {
                long dueNs = startNs + (long) (request * periodNs);
                awaitTime(dueNs);
                connection.post(bodies.body(request));
                waits.recordValue(System.nanoTime() - dueNs);
            }
        });
        return waits;
    }

    private static void awaitTime(long dueNs) throws InterruptedException {
        for (long left = dueNs - System.nanoTime(); left > 0; left = dueNs - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }
}
