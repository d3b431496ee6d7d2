package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Long2LongHashMap;

/**
 * Remembers the series whose rows were found to be bad, by hash, so that the same series in the next cycle is not an outage
 * again. A series is forgotten when the store takes a row of it, and an hour after its last bad row. The memory only shortens the
 * wait; the store is asked about each row again. The flusher's thread.
 */
final class BadSeries {
    /** At 16 bytes and a load of 0.65: 1.6 to 3.2 MB. Further series wait as long as the first. */
    private static final int SERIES_MAX = 65_536;

    /** The store may be another one by then. */
    private static final long KEPT_NS = TimeUnit.HOURS.toNanos(1);

    private static final long NEVER = Long.MIN_VALUE;

    /** By hash the time of the last bad row. */
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

    /** The store took these rows. */
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
