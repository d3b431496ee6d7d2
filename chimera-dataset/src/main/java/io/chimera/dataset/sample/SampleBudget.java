package io.chimera.dataset.sample;

import io.chimera.common.agent.Clock;
import java.time.Duration;

/** Rest of the {@link SampleLimits} of a running sample. One thread. */
public final class SampleBudget {
    private final Clock clock;
    private final long deadlineNs;
    private long bytes;
    private int requests;

    /**
     * Starts the time of a sample.
     *
     * @param limits bounds of the sample
     * @param clock time of the sample
     */
    public SampleBudget(SampleLimits limits, Clock clock) {
        this.clock = clock;
        deadlineNs = clock.nanoTime() + limits.timeMax().toNanos();
        bytes = limits.bytesMax();
        requests = limits.requestsMax();
    }

    /** Returns the time left, at least 0. */
    Duration time() {
        return Duration.ofNanos(Math.max(0, deadlineNs - clock.nanoTime()));
    }

    /** Returns a part of the time left, e.g. a third. */
    Duration time(int part) {
        return time().dividedBy(part);
    }

    /** Returns the bytes left. */
    long bytes() {
        return bytes;
    }

    /** Returns whether at least these requests and bytes, and this time, are left. */
    boolean has(int wishedRequests, long wishedBytes, Duration wishedTime) {
        return wishedRequests <= requests && wishedBytes <= bytes && time().compareTo(wishedTime) >= 0;
    }

    /** Takes requests and bytes, unless too few are left, or the time is over; returns whether they were taken. */
    boolean take(int wishedRequests, long wishedBytes) {
        if (wishedRequests > requests || wishedBytes > bytes || time().isZero()) {
            return false;
        }
        requests -= wishedRequests;
        bytes -= wishedBytes;
        return true;
    }
}
