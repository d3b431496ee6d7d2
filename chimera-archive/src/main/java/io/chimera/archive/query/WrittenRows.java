package io.chimera.archive.query;

import io.chimera.common.error.ChimeraException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.collections.LongHashSet;

/**
 * Knows of the rows of recent times whether they are in the stream. Rows are written again after a failure, and the archive never
 * changes what it has: so a row that may be there already is marked. In doubt a row is said to be there, and nothing depends on
 * hashes being different. The writer's thread.
 */
final class WrittenRows {
    /** With 8 bytes in a table that is half empty: 32 MB. */
    static final int ROWS_MAX = 2 << 20;

    private static final int TIMES_MAX = 1024;

    private final PointsOfTime points;
    private final int rowsMax;

    /** By time, least recently used first. */
    private final Map<Long, Time> times = new LinkedHashMap<>(16, 0.75f, true);

    private long rows;

    /**
     * Nothing is known yet.
     *
     * @param rowsMax that are kept; of a time with more every row may have been there
     */
    WrittenRows(PointsOfTime points, int rowsMax) {
        this.points = points;
        this.rowsMax = rowsMax;
    }

    /**
     * Adds a row.
     *
     * @param hash of it, {@link PointInterval#rowHash}
     * @return whether it may have been there
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
     * An interval was appended.
     *
     * @param timeNs of a row in it
     * @param number of it
     * @param oldest number of the oldest interval that is still there
     * @return whether the rows of that time are all there that were written one behind the other
     */
    boolean appended(long timeNs, long number, long oldest) {
        Time time = times.get(timeNs);
        if (time.last < oldest) {
            time.first = number; // it is written anew
        }
        time.last = number;
        return time.first >= oldest;
    }

    /** Forgets the times that have not been written for longest, where they are too many. Their rows are in the stream. */
    void trim() {
        Iterator<Time> oldest = times.values().iterator();
        while (times.size() > 1 && (rows > rowsMax || times.size() > TIMES_MAX)) {
            rows -= oldest.next().size();
            oldest.remove();
        }
    }

    /** What the stream has of a time: nothing, where it is a new one. */
    private Time load(long timeNs) {
        Time time = new Time();
        try {
            boolean isWhole = points.visit(timeNs, point -> {
                time.add(point.rowHash());
                return !time.isUnknown;
            });
            if (!isWhole) {
                time.forget(); // what cannot be read may hold any row
            }
        } catch (ChimeraException e) {
            time.forget();
        }
        return time;
    }

    /** The rows of one time. */
    private final class Time {
        private LongHashSet hashes = new LongHashSet();
        private boolean isUnknown;

        /** Interval in which its rows begin, and the one that has rows of it last. */
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
