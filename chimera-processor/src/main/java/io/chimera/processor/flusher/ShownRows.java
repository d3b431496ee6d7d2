package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a store shows of the rows that it was asked for, in any order. One that keeps the order of the question costs no
 * table. The flusher's thread.
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

    /** What the store shows of a row; null when it does not show it. */
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
