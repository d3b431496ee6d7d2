package io.chimera.processor.flusher;

import io.chimera.common.agent.Clock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks whether a store accepts rows, and the time of the next attempt during an outage. Logs a WARN at the start of
 * an outage and once a minute during the outage, and an INFO at the end.
 */
final class StoreHealth {
    private static final Logger LOG = LoggerFactory.getLogger(StoreHealth.class);

    private static final long BACKOFF_NS_MIN = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * Maximum back-off, and so the detection delay after a store has recovered. A request per second is no load for a
     * store.
     */
    private static final long BACKOFF_NS_MAX = TimeUnit.SECONDS.toNanos(1);

    private static final long WARN_EVERY_NS = TimeUnit.MINUTES.toNanos(1);

    private final String store;
    private final Clock clock;
    private final Counters<ProcessorCounter> counters;
    private long chance;
    private long sinceNs;
    private long warnedNs;
    private long retryAtNs;
    private long backoffNs = BACKOFF_NS_MIN;
    private volatile Outage outage;

    /**
     * Kind of call that began an outage. A successful write ends every outage, a successful read only an outage of
     * reads.
     */
    enum Cause {
        WRITE,
        READ
    }

    private record Outage(Cause cause, String reason, long sinceMs) {}

    /**
     * Creates the health of a store without an outage.
     *
     * @param seed of the jitter, different for each processor, so that retries do not coincide
     */
    StoreHealth(String store, long seed, Clock clock, Counters<ProcessorCounter> counters) {
        this.store = store;
        this.clock = clock;
        this.counters = counters;
        chance = seed;
    }

    /** Returns whether an attempt is due. */
    boolean isDue(long nowNs) {
        return outage == null || nowNs - retryAtNs >= 0;
    }

    /** Records a successful write or probe: any outage ends. */
    void wasWritten(long nowNs) {
        if (outage != null) {
            LOG.info("Store {} answers again after {} s.", store, TimeUnit.NANOSECONDS.toSeconds(nowNs - sinceNs));
            outage = null;
            backoffNs = BACKOFF_NS_MIN;
        }
    }

    /** Records a successful read. A read proves nothing about writes. */
    void wasRead(long nowNs) {
        if (outage != null && outage.cause == Cause.READ) {
            wasWritten(nowNs);
        }
    }

    /** Records the failure of a call that began at a time. */
    void failed(Cause cause, String reason, long beganNs) {
        long nowNs = clock.nanoTime();
        counters.increment(ProcessorCounter.STORE_BATCHES_FAILED);
        if (outage == null) {
            counters.increment(ProcessorCounter.STORE_OUTAGES);
            sinceNs = nowNs;
            warnedNs = nowNs;
            LOG.warn(
                    "Store {} does not take rows: {} Rows wait until the store recovers; no rows are lost.",
                    store,
                    reason);
        } else if (nowNs - warnedNs >= WARN_EVERY_NS) {
            warnedNs = nowNs;
            LOG.warn(
                    "Store {} does not take rows for {} s: {} Rows wait, cycles are not committed, journals grow.",
                    store,
                    TimeUnit.NANOSECONDS.toSeconds(nowNs - sinceNs),
                    reason);
        }
        outage = new Outage(
                outage != null && outage.cause == Cause.WRITE ? Cause.WRITE : cause,
                reason,
                outage == null ? clock.epochMs() : outage.sinceMs);
        // The pause is at least as long as the call, so a slow store takes at most half of the flusher's time from the
        // others.
        retryAtNs = nowNs + jittered(Math.max(backoffNs, nowNs - beganNs));
        backoffNs = Math.min(2 * backoffNs, BACKOFF_NS_MAX);
    }

    /** Returns 3/4 to 5/4 of a time, by Knuth's linear congruential generator. */
    private long jittered(long ns) {
        chance = chance * 6364136223846793005L + 1442695040888963407L;
        return ns - ns / 4 + (chance >>> 1) % (ns / 2);
    }

    /** Returns whether the store is in an outage. Any thread. */
    boolean isOut() {
        return outage != null;
    }

    /** Returns store, reason and start of the outage; null without an outage. Any thread. */
    String outage() {
        Outage now = outage;
        return now == null
                ? null
                : "store " + store + " does not take rows since " + Instant.ofEpochMilli(now.sinceMs) + ": "
                        + now.reason;
    }

    /** Returns the wall-clock time of the start of the outage; the largest long without an outage. Any thread. */
    long sinceMs() {
        Outage now = outage;
        return now == null ? Long.MAX_VALUE : now.sinceMs;
    }
}
