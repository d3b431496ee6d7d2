package io.chimera.processor.flusher;

import io.chimera.api.spi.StoreException;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a store takes rows, and when it is tried again if not. One log line as an outage begins, one as it ends. */
final class StoreHealth {
    private static final Logger LOG = LoggerFactory.getLogger(StoreHealth.class);

    private static final long BACKOFF_NS_MIN = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long BACKOFF_NS_MAX = TimeUnit.SECONDS.toNanos(5);

    private final String store;
    private final Counters<ProcessorCounter> counters;
    private long sinceNs;
    private long retryAtNs;
    private long backoffNs = BACKOFF_NS_MIN;
    private volatile String outage;

    StoreHealth(String store, Counters<ProcessorCounter> counters) {
        this.store = store;
        this.counters = counters;
    }

    /** Whether it makes sense to try now. */
    boolean isDue(long nowNs) {
        return outage == null || nowNs - retryAtNs >= 0;
    }

    void succeeded(long nowNs) {
        counters.increment(ProcessorCounter.STORE_BATCHES);
        if (outage != null) {
            LOG.info("Store {} takes rows again after {} s.", store, TimeUnit.NANOSECONDS.toSeconds(nowNs - sinceNs));
            outage = null;
            backoffNs = BACKOFF_NS_MIN;
        }
    }

    void failed(Exception reason, long nowNs) {
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
        retryAtNs = nowNs + backoffNs;
        backoffNs = Math.min(2 * backoffNs, BACKOFF_NS_MAX);
    }

    /** Why the store does not take rows; null when it does. Any thread. */
    String outage() {
        return outage;
    }
}
