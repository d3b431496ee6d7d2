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
 * Sends requests at fixed due times, whether earlier requests are answered or not. Each request goes out on the next
 * free connection, and its wait counts from its due time, including any wait for a connection. So no slow answer hides
 * the requests that were due in the meantime (coordinated omission), and the results need no correction.
 */
final class OpenLoop {
    /** Range and precision of waits: three digits from one microsecond. */
    private static final long WAIT_NS_MIN = TimeUnit.MICROSECONDS.toNanos(1);

    private static final long WAIT_NS_MAX = TimeUnit.HOURS.toNanos(1);
    private static final int DIGITS = 3;

    /** Lead time for all threads before the first due time. */
    private static final long START_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Grace for a cluster that falls behind, after the last due time. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private OpenLoop() {}

    /**
     * Sends all requests.
     *
     * @param requests number of requests
     * @param periodNs nanoseconds between two due times
     * @return the wait of each request
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
