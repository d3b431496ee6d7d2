package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Long2LongHashMap;

/**
 * Remembers series with bad rows, by hash, so that the same series in the next cycle does not count as an outage again.
 * A series is removed when the store takes a row of the series, and expires an hour after its last bad row. The memory
 * only shortens the wait; each row is still written to the store. The flusher's thread.
 */
final class BadSeries {
    /**
     * Maximum number of series; at 16 bytes and a load factor of 0.65: 1.6 to 3.2 MB. Beyond the maximum, a series is
     * treated as unknown and waits the full time.
     */
    private static final int SERIES_MAX = 65_536;

    /** Retention of a series. The store may have been repaired or replaced after an hour. */
    private static final long KEPT_NS = TimeUnit.HOURS.toNanos(1);

    private static final long NEVER = Long.MIN_VALUE;

    /** Time of the last bad row by hash of the series. */
    private final Long2LongHashMap hashes = new Long2LongHashMap(NEVER);

    void add(Row row, long nowNs) {
        long hash = hash(row);
        if (hashes.size() >= SERIES_MAX && !hashes.containsKey(hash)) {
            hashes.values().removeIf(lastNs -> nowNs - lastNs > KEPT_NS);
        }
        if (hashes.size() < SERIES_MAX || hashes.containsKey(hash)) {
            hashes.put(hash, nowNs == NEVER ? NEVER + 1 : nowNs);
        }
    }

    /** Removes series with rows that the store took. */
    void taken(List<Row> rows) {
        if (hashes.isEmpty()) {
            return;
        }
        for (Row row : rows) {
            hashes.remove(hash(row));
        }
    }

    boolean contains(Row row, long nowNs) {
        long lastNs = hashes.get(hash(row));
        return lastNs != NEVER && nowNs - lastNs <= KEPT_NS;
    }

    private static long hash(Row row) {
        long high = row.metric().hashCode();
        return high << 32 ^ (row.tags().hashCode() * 0x9E3779B97F4A7C15L) ^ (row.isLong() ? 1 : 0);
    }
}
