package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.LongHashSet;

/**
 * Remembers the series whose rows were found to be bad, by hash, so that the same series in the next cycle is not an outage
 * again. The memory only shortens the wait; the store is asked about each row again. The flusher's thread.
 */
final class BadSeries {
    /** At 8 bytes and a load of 0.65: 0.8 to 1.6 MB. Further series wait as long as the first. */
    private static final int SERIES_MAX = 65_536;

    /** After this time without a bad row the memory is cleared: the store may be another one by now. */
    private static final long KEPT_NS = TimeUnit.HOURS.toNanos(1);

    private final LongHashSet hashes = new LongHashSet();
    private long lastNs;

    void add(Row row, long nowNs) {
        if (hashes.size() < SERIES_MAX) {
            hashes.add(hash(row));
        }
        lastNs = nowNs;
    }

    void remove(Row row) {
        hashes.remove(hash(row));
    }

    boolean contains(Row row, long nowNs) {
        if (!hashes.isEmpty() && nowNs - lastNs > KEPT_NS) {
            hashes.clear();
        }
        return hashes.contains(hash(row));
    }

    private static long hash(Row row) {
        long high = row.metric().hashCode();
        return high << 32 ^ (row.tags().hashCode() * 0x9E3779B97F4A7C15L) ^ (row.isLong() ? 1 : 0);
    }
}
