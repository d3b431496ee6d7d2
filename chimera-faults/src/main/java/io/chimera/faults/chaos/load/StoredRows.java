package io.chimera.faults.chaos.load;

import io.chimera.apps.node.child.KairosReader;
import java.util.Map;
import java.util.SortedMap;

/**
 * The rows of the load as the store holds them: by key, then by time of the cycle in milliseconds.
 *
 * @param counts values of the count
 * @param sums values of the sum
 */
public record StoredRows(Map<String, SortedMap<Long, Double>> counts, Map<String, SortedMap<Long, Double>> sums) {
    /** Reads them all between two times. */
    public static StoredRows read(KairosReader reader, long fromMs, long toMs) throws InterruptedException {
        String field = LoadValues.METRIC + "." + LoadValues.FIELD;
        return new StoredRows(
                reader.byTag(field + ".count", LoadValues.TAG, fromMs, toMs),
                reader.byTag(field + ".sum", LoadValues.TAG, fromMs, toMs));
    }
}
