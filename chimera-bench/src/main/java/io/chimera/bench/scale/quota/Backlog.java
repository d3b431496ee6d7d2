package io.chimera.bench.scale.quota;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Number of points that may wait in the cluster: some seconds of the recent rate, so that there is work for every
 * processor at any time, and the backlog of a slow cluster stays small. Starts with a fixed number of points, and grows
 * until the processors limit the rate: with fewer points than the processors could store, the rate is the backlog
 * divided by the time from a point to its commit, which is shorter than those seconds. One thread.
 */
final class Backlog {
    /** Duration over which the rate is measured: some cycles. */
    private static final long RATE_NS = Growth.CYCLE.multipliedBy(6).toNanos();

    private final double seconds;
    private final long min;
    private final Deque<Sample> samples = new ArrayDeque<>();

    private record Sample(long ns, long stored) {}

    /**
     * Creates a rule.
     *
     * @param seconds permitted backlog in seconds of the recent rate
     * @param min minimum of the permitted backlog in points
     */
    Backlog(double seconds, long min) {
        this.seconds = seconds;
        this.min = min;
    }

    /**
     * Returns the number of points that may have been sent since the start.
     *
     * @param ns current time
     * @param stored points stored since the start
     */
    long permitted(long ns, long stored) {
        samples.add(new Sample(ns, stored));
        while (samples.size() > 2 && ns - samples.element().ns() > RATE_NS) {
            samples.remove();
        }
        Sample oldest = samples.element();
        double elapsed = Math.max(1, ns - oldest.ns()) / (double) TimeUnit.SECONDS.toNanos(1);
        double rate = samples.size() < 2 ? 0 : (stored - oldest.stored()) / elapsed;
        return stored + Math.max(min, (long) (rate * seconds));
    }
}
