package io.chimera.archive.query.point;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.agrona.collections.LongHashSet;

/**
 * Reads back rows written a moment ago: searches the last appended intervals, newest first, until every row is found.
 * The cost depends on the data written since, not on all data of the time. Rows not found are searched in the whole
 * stream. Writer's thread.
 */
final class ReadBack {
    /** Maximum remembered intervals: 1.3 MB at 80 bytes each, for 1 GiB of rows. */
    private static final int NEWEST_MAX = 16 << 10;

    private final PointsOfTime points;

    /** Newest first, without gaps. */
    private final ArrayDeque<Newest> newest = new ArrayDeque<>();

    private record Newest(RecordHandle data, long firstNs, long lastNs) {}

    /** Identity of a row among the rows of one time. */
    private record RowKey(String metric, Tags tags, boolean isLong) {
        static RowKey of(Row row) {
            return new RowKey(row.metric(), row.tags(), row.isLong());
        }
    }

    ReadBack(PointsOfTime points) {
        this.points = points;
    }

    /** Remembers an appended interval. */
    void appended(RecordHandle data, long firstNs, long lastNs) {
        newest.addFirst(new Newest(data, firstNs, lastNs));
        if (newest.size() > NEWEST_MAX) {
            newest.removeLast();
        }
    }

    /**
     * Reads rows back.
     *
     * @param wanted rows of one time
     * @param hashes hashes of the rows, {@link PointInterval#rowHash}
     * @return the last version of every wanted row (metric, tags and type) that can be read
     * @throws ChimeraException when the index cannot be read
     */
    List<Row> read(List<Row> wanted, LongHashSet hashes) {
        if (wanted.isEmpty()) {
            return List.of();
        }
        long timeNs = TimeUnit.MILLISECONDS.toNanos(wanted.get(0).timeMs());
        Set<RowKey> lacking = new HashSet<>();
        wanted.forEach(row -> lacking.add(RowKey.of(row)));
        List<Row> found = new ArrayList<>();
        Iterator<Newest> intervals = newest.iterator();
        while (!lacking.isEmpty() && intervals.hasNext()) {
            Newest interval = intervals.next();
            if (interval.firstNs <= timeNs && interval.lastNs >= timeNs) {
                Map<RowKey, Row> here = new HashMap<>();
                try {
                    points.visit(interval.data, timeNs, last(lacking, hashes, here));
                } catch (ChimeraException e) {
                    continue; // rows found nowhere else are written again
                }
                take(here, lacking, found);
            }
        }
        if (!lacking.isEmpty()) {
            Map<RowKey, Row> anywhere = new HashMap<>();
            points.visit(timeNs, last(lacking, hashes, anywhere));
            take(anywhere, lacking, found);
        }
        return found;
    }

    private static void take(Map<RowKey, Row> rows, Set<RowKey> lacking, List<Row> found) {
        found.addAll(rows.values());
        lacking.removeAll(rows.keySet());
    }

    /** Keeps the last visited version of each missing row. */
    private static Predicate<PointInterval> last(Set<RowKey> lacking, LongHashSet hashes, Map<RowKey, Row> into) {
        return point -> {
            if (hashes.contains(point.rowHash())) {
                Row row = point.row();
                RowKey key = RowKey.of(row);
                if (lacking.contains(key)) {
                    into.put(key, row);
                }
            }
            return true;
        };
    }
}
