package io.chimera.processor.flusher;

import io.chimera.common.agent.Clock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a store accepts rows, and when it is tried again if not. Logs a WARN as an outage begins and once a minute while it
 * lasts, and a line as it ends.
 */
final class StoreHealth {
    private static final Logger LOG = LoggerFactory.getLogger(StoreHealth.class);

    private static final long BACKOFF_NS_MIN = TimeUnit.MILLISECONDS.toNanos(100);

    /** So much later than the store itself its outage ends for a processor; one request a second holds up no store. */
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

    /** What an outage began with; only the same kind of success ends it. */
    enum Cause {
        WRITE,
        READ
    }

    private record Outage(Cause cause, String reason, long sinceMs) {}

    /**
     * A store that is believed to answer.
     *
     * @param seed of the chance by which processors do not try again all at one time
     */
    StoreHealth(String store, long seed, Clock clock, Counters<ProcessorCounter> counters) {
        this.store = store;
        this.clock = clock;
        this.counters = counters;
        chance = seed;
    }

    /** Whether it makes sense to try now. */
    boolean isDue(long nowNs) {
        return outage == null || nowNs - retryAtNs >= 0;
    }

    /** The store accepted rows, or said that it would: any outage is over. */
    void wasWritten(long nowNs) {
        if (outage != null) {
            LOG.info("Store {} answers again after {} s.", store, TimeUnit.NANOSECONDS.toSeconds(nowNs - sinceNs));
            outage = null;
            backoffNs = BACKOFF_NS_MIN;
        }
    }

    /** The store showed rows. That says nothing about writes. */
    void wasRead(long nowNs) {
        if (outage != null && outage.cause == Cause.READ) {
            wasWritten(nowNs);
        }
    }

    /** The store did not answer as it should to a call that began at a time. */
    void failed(Cause cause, String reason, long beganNs) {
        long nowNs = clock.nanoTime();
        counters.increment(ProcessorCounter.STORE_BATCHES_FAILED);
        if (outage == null) {
            counters.increment(ProcessorCounter.STORE_OUTAGES);
            sinceNs = nowNs;
            warnedNs = nowNs;
            LOG.warn("Store {} does not take rows: {} Rows wait until it does; nothing is lost.", store, reason);
        } else if (nowNs - warnedNs >= WARN_EVERY_NS) {
            warnedNs = nowNs;
            LOG.warn(
                    "Store {} does not take rows since {} s: {} Rows wait, cycles are not committed, journals grow.",
                    store,
                    TimeUnit.NANOSECONDS.toSeconds(nowNs - sinceNs),
                    reason);
        }
        outage = new Outage(
                outage != null && outage.cause == Cause.WRITE ? Cause.WRITE : cause,
                reason,
                outage == null ? clock.epochMs() : outage.sinceMs);
        // a store that lets its callers wait gets no more than half of the flusher's time: the others need it, too
        retryAtNs = nowNs + jittered(Math.max(backoffNs, nowNs - beganNs));
        backoffNs = Math.min(2 * backoffNs, BACKOFF_NS_MAX);
    }

    /** 3/4 to 5/4 of a time, by Knuth's linear congruential generator. */
    private long jittered(long ns) {
        chance = chance * 6364136223846793005L + 1442695040888963407L;
        return ns - ns / 4 + (chance >>> 1) % (ns / 2);
    }

    /** Whether an outage lasts. Any thread. */
    boolean isOut() {
        return outage != null;
    }

    /** Store, reason and beginning of the outage; null when there is none. Any thread. */
    String outage() {
        Outage now = outage;
        return now == null
                ? null
                : "store " + store + " does not take rows since " + Instant.ofEpochMilli(now.sinceMs) + ": "
                        + now.reason;
    }

    /** Wall-clock time at which the outage began. Any thread; only during an outage. */
    long sinceMs() {
        Outage now = outage;
        return now == null ? Long.MAX_VALUE : now.sinceMs;
    }
}
