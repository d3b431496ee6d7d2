package io.chimera.archive.query;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.archive.streamfs.RecordHandle;
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
 * Reads rows back that were written a moment ago: out of the intervals that were appended last, the newest first, until each was found.
 * So what it costs depends on what was written since, and not on what there is of the time. What is not there is looked for in all of
 * the stream. One thread, the writer's.
 */
final class ReadBack {
    /** With 80 bytes each 1.3 MB, for 1 GiB of rows. */
    private static final int NEWEST_MAX = 16 << 10;

    private final PointsOfTime points;

    /** Newest first, without a gap. */
    private final ArrayDeque<Newest> newest = new ArrayDeque<>();

    private record Newest(RecordHandle data, long firstNs, long lastNs) {}

    /** What makes a row one among those of a time. */
    private record RowKey(String metric, Tags tags, boolean isLong) {
        static RowKey of(Row row) {
            return new RowKey(row.metric(), row.tags(), row.isLong());
        }
    }

    /** Nothing was appended yet. */
    ReadBack(PointsOfTime points) {
        this.points = points;
    }

    /** An interval was appended. */
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
     * @param hashes of them, {@link PointInterval#rowHash}
     * @return of each metric, tags and type among them that can be read, one row, as it was written last
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
                    continue; // rows of it are written again, if they are nowhere else
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

    /** Keeps of each row that lacks the last that is visited. */
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
