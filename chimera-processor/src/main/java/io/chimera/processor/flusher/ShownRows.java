package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rows that a store returned for a read, in any order. Results in the order of the request need no hash table. The
 * flusher's thread.
 */
final class ShownRows {
    private final List<Row> rows;
    private int next;
    private Map<Key, Row> byKey;

    private record Key(String metric, Tags tags, long timeMs, boolean isLong) {
        static Key of(Row row) {
            return new Key(row.metric(), row.tags(), row.timeMs(), row.isLong());
        }
    }

    ShownRows(List<Row> rows) {
        this.rows = rows;
    }

    /** Returns the stored row for a written row; null when the store does not show the row. */
    Row of(Row written) {
        if (next < rows.size() && isOneOf(rows.get(next), written)) {
            return rows.get(next++);
        }
        if (byKey == null) {
            byKey = new HashMap<>();
            rows.forEach(row -> byKey.put(Key.of(row), row));
        }
        return byKey.get(Key.of(written));
    }

    private static boolean isOneOf(Row shown, Row written) {
        return shown.timeMs() == written.timeMs()
                && shown.isLong() == written.isLong()
                && shown.metric().equals(written.metric())
                && shown.tags().equals(written.tags());
    }
}
