package io.chimera.archive.query.point;

import io.chimera.common.error.ChimeraException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.agrona.collections.LongHashSet;

/**
 * Tells whether rows of recent times are already in the stream. Rows are rewritten after a failure, and the archive
 * never changes existing records; a row that may already be present is therefore marked. In doubt a row counts as
 * present, and hash collisions are harmless. Writer's thread.
 */
public final class WrittenRows {
    /** Maximum remembered rows: 32 MB, with 8 bytes each in a half-empty table. */
    public static final int ROWS_MAX = 2 << 20;

    private static final int TIMES_MAX = 1024;

    private final PointsOfTime points;
    private final int rowsMax;

    /** Rows by time, least recently used time first. */
    private final Map<Long, Time> times = new LinkedHashMap<>(16, 0.75f, true);

    private long rows;

    /**
     * Creates an empty memory.
     *
     * @param rowsMax maximum remembered rows; for a time with more rows, every row counts as possibly present
     */
    WrittenRows(PointsOfTime points, int rowsMax) {
        this.points = points;
        this.rowsMax = rowsMax;
    }

    /**
     * Adds a row.
     *
     * @param hash hash of the row, {@link PointInterval#rowHash}
     * @return true if the row may already be present
     */
    boolean add(long timeNs, long hash) {
        Time time = times.get(timeNs);
        if (time == null) {
            time = load(timeNs);
            times.put(timeNs, time);
        }
        return time.add(hash);
    }

    /**
     * Notes an appended interval.
     *
     * @param timeNs time of an added row in the interval
     * @param number number of the interval
     * @param oldest number of the oldest held interval
     * @return true if all rows of the time, since its first interval, are still held
     */
    boolean appended(long timeNs, long number, long oldest) {
        Time time = Objects.requireNonNull(times.get(timeNs), "rows are added before their interval is appended");
        if (time.last < oldest) {
            time.first = number; // all earlier intervals of the time are overwritten: start over
        }
        time.last = number;
        return time.first >= oldest;
    }

    /** Forgets the least recently written times above the limits. Their rows stay in the stream. */
    void trim() {
        Iterator<Time> oldest = times.values().iterator();
        while (times.size() > 1 && (rows > rowsMax || times.size() > TIMES_MAX)) {
            rows -= oldest.next().size();
            oldest.remove();
        }
    }

    /** Loads the rows of a time from the stream; a new time has none. */
    private Time load(long timeNs) {
        Time time = new Time();
        try {
            boolean isWhole = points.visit(timeNs, point -> {
                time.add(point.rowHash());
                return !time.isUnknown;
            });
            if (!isWhole) {
                time.forget(); // an unreadable interval may hold any row
            }
        } catch (ChimeraException e) {
            time.forget();
        }
        return time;
    }

    /** Rows of one time. */
    private final class Time {
        private LongHashSet hashes = new LongHashSet();
        private boolean isUnknown;

        /** Numbers of the first and the last interval with rows of the time. */
        private long first;

        private long last;

        boolean add(long hash) {
            if (isUnknown || !hashes.add(hash)) {
                return true;
            }
            rows++;
            if (hashes.size() > rowsMax) {
                forget();
            }
            return false;
        }

        void forget() {
            rows -= hashes.size();
            hashes = new LongHashSet();
            isUnknown = true;
        }

        int size() {
            return hashes.size();
        }
    }
}
