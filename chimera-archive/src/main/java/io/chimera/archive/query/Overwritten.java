package io.chimera.archive.query;

import io.chimera.archive.index.IndexSearch;
import io.chimera.archive.index.Interval;
import io.chimera.archive.index.Probe;
import io.chimera.archive.streamfs.RecordView;
import io.chimera.archive.streamfs.StreamReader;
import io.chimera.archive.streamfs.StreamStore;
import io.chimera.common.error.ChimeraException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.LongHashSet;

/**
 * Which rows of a span of time were written more than once, and where each of them was written last. Intervals with such rows say so,
 * and the index knows them: where nothing was written again this costs one search. Rows are compared, not their hashes. One thread.
 */
final class Overwritten {
    /** With their series some 250 bytes each: 125 MB. */
    static final int ROWS_MAX = 500_000;

    /** Points of an interval are fewer. */
    private static final int PLACE_BITS = 24;

    private final Map<RowId, Long> last = new HashMap<>();
    private final LongHashSet hashes = new LongHashSet();
    private final int rowsMax;
    private long damaged;
    private String damage = "";

    /**
     * Finds them.
     *
     * @param newest number of the last interval that counts
     * @param filter that a row meets at one of its values, or it does not matter here
     * @throws QuestionException when they are too many
     */
    Overwritten(
            StreamStore store, ArchiveStream stream, long newest, Question question, PointFilter filter, int rowsMax) {
        this.rowsMax = rowsMax;
        RecordView record = new RecordView();
        PointInterval points = new PointInterval();
        try (IndexSearch search = stream.index().search();
                StreamReader reader = store.reader()) {
            Probe probe = Probe.and(PointKeys.again(), filter.probe());
            search.search(probe, question.afterNs(), question.beforeNs(), interval -> {
                if (interval.number() <= newest) {
                    read(reader, interval, record, points, question, filter);
                }
                return true;
            });
        }
    }

    private void read(
            StreamReader reader,
            Interval interval,
            RecordView record,
            PointInterval points,
            Question question,
            PointFilter filter) {
        try {
            if (!reader.read(interval.data(), record)) {
                return;
            }
            points.wrap(record.buffer(), 0, record.buffer().capacity());
            while (points.isAgain() && points.next()) {
                long timeNs = points.point().timeNs();
                if (timeNs >= question.afterNs() && timeNs <= question.beforeNs() && filter.matches(points.point())) {
                    note(points, record.number());
                }
            }
        } catch (QuestionException e) {
            throw e;
        } catch (ChimeraException e) {
            damaged++;
            damage = damage.isEmpty() ? e.getMessage() : damage;
        }
    }

    private void note(PointInterval points, long number) {
        hashes.add(points.rowHash());
        last.put(RowId.of(points), place(points, number));
        if (last.size() > rowsMax) {
            throw new QuestionException(
                    "More than " + rowsMax
                            + " rows that may be in the answer were written more than once; ask for a shorter time, or for fewer series.");
        }
    }

    private static long place(PointInterval points, long number) {
        return number << PLACE_BITS | points.seen();
    }

    /**
     * Whether no later point took the place of the current one.
     *
     * @param number of the record that the point is in
     */
    boolean isLast(PointInterval points, long number) {
        if (hashes.isEmpty() || !hashes.contains(points.rowHash())) {
            return true;
        }
        Long place = last.get(RowId.of(points));
        return place == null || place == place(points, number);
    }

    /** Intervals that could not be read, so that rows may be in the answer which others took the place of. */
    long damaged() {
        return damaged;
    }

    /** What was wrong with the first. */
    String damage() {
        return damage;
    }

    /** What makes a row one: metric and tags, time, type. */
    private static final class RowId {
        private final byte[] series;
        private final long timeNs;
        private final boolean isLong;
        private final int hash;

        private RowId(byte[] series, long timeNs, boolean isLong, long hash) {
            this.series = series;
            this.timeNs = timeNs;
            this.isLong = isLong;
            this.hash = Long.hashCode(hash * 31 + timeNs);
        }

        static RowId of(PointInterval points) {
            byte[] series = new byte[points.series().keyLength()];
            points.series().buffer().getBytes(points.series().keyOffset(), series);
            return new RowId(series, points.point().timeNs(), points.isLong(), points.rowHash());
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof RowId row
                    && timeNs == row.timeNs
                    && isLong == row.isLong
                    && Arrays.equals(series, row.series);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
