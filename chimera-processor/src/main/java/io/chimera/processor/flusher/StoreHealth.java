package io.chimera.processor.flusher;

import io.chimera.api.spi.StoreException;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a store answers, and when it is tried again if not. One log line as an outage begins, one as it ends. */
final class StoreHealth {
    private static final Logger LOG = LoggerFactory.getLogger(StoreHealth.class);

    private static final long BACKOFF_NS_MIN = TimeUnit.MILLISECONDS.toNanos(100);

    /** So much later than the store itself its outage ends for a processor; one request a second holds up no store. */
    private static final long BACKOFF_NS_MAX = TimeUnit.SECONDS.toNanos(1);

    private final String store;
    private final Counters<ProcessorCounter> counters;
    private long chance;
    private long sinceNs;
    private long retryAtNs;
    private long backoffNs = BACKOFF_NS_MIN;
    private volatile String outage;

    /**
     * A store that is believed to answer.
     *
     * @param seed of the chance by which processors do not try again all at one time
     */
    StoreHealth(String store, long seed, Counters<ProcessorCounter> counters) {
        this.store = store;
        this.counters = counters;
        chance = seed;
    }

    /** Whether it makes sense to try now. */
    boolean isDue(long nowNs) {
        return outage == null || nowNs - retryAtNs >= 0;
    }

    /** The store answered, if only to refuse something. */
    void answered(long nowNs) {
        if (outage != null) {
            LOG.info("Store {} answers again after {} s.", store, TimeUnit.NANOSECONDS.toSeconds(nowNs - sinceNs));
            outage = null;
            backoffNs = BACKOFF_NS_MIN;
        }
    }

    /** The store did not answer, or not as it should, to what began at a time. */
    void failed(Exception reason, long beganNs, long nowNs) {
        counters.increment(ProcessorCounter.STORE_BATCHES_FAILED);
        if (outage == null) {
            counters.increment(ProcessorCounter.STORE_OUTAGES);
            sinceNs = nowNs;
            LOG.warn(
                    "Store {} does not take rows: {} Rows wait until it does; nothing is lost.",
                    store,
                    reason instanceof StoreException ? reason.getMessage() : reason + ".");
        }
        outage = "store " + store + ": " + reason.getMessage();
        // a store that lets its callers wait gets no more than half of the flusher's time: the others need it, too
        retryAtNs = nowNs + jittered(Math.max(backoffNs, nowNs - beganNs));
        backoffNs = Math.min(2 * backoffNs, BACKOFF_NS_MAX);
    }

    /** 3/4 to 5/4 of a time, by Knuth's linear congruential generator. */
    private long jittered(long ns) {
        chance = chance * 6364136223846793005L + 1442695040888963407L;
        return ns - ns / 4 + (chance >>> 1) % (ns / 2);
    }

    /** Why the store does not take rows; null when it does. Any thread. */
    String outage() {
        return outage;
    }
}
