package io.chimera.faults.chaos.load;

import io.chimera.node.child.KairosReader;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Rows of the load in the store: by key, then by time of the cycle in milliseconds.
 *
 * @param counts values of the count
 * @param sums values of the sum
 * @param contradictions descriptions of duplicate rows, rows with two values, and unreadable data; empty in a correct
 *     store
 */
public record StoredRows(
        Map<String, SortedMap<Long, Double>> counts,
        Map<String, SortedMap<Long, Double>> sums,
        List<String> contradictions) {
    static final String COUNT = LoadValues.METRIC + "." + LoadValues.FIELD + ".count";
    static final String SUM = LoadValues.METRIC + "." + LoadValues.FIELD + ".sum";

    /** Reads all rows between two times. */
    public static StoredRows read(KairosReader reader, long fromMs, long toMs) throws InterruptedException {
        return new StoredRows(
                reader.byTag(COUNT, LoadValues.TAG, fromMs, toMs),
                reader.byTag(SUM, LoadValues.TAG, fromMs, toMs),
                List.of());
    }
}
