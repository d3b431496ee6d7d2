package io.chimera.archive.query;

import io.chimera.archive.index.IndexSearch;
import io.chimera.archive.index.Probe;
import io.chimera.archive.streamfs.RecordView;
import io.chimera.archive.streamfs.StreamReader;
import io.chimera.archive.streamfs.StreamStore;
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

    private final StreamStore store;
    private final ArchiveStream stream;
    private final int rowsMax;

    /** By time, least recently used first. */
    private final Map<Long, Time> times = new LinkedHashMap<>(16, 0.75f, true);

    private long rows;

    /**
     * Nothing is known yet.
     *
     * @param rowsMax that are kept; of a time with more every row may have been there
     */
    WrittenRows(StreamStore store, ArchiveStream stream, int rowsMax) {
        this.store = store;
        this.stream = stream;
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
        PointInterval points = new PointInterval();
        RecordView record = new RecordView();
        try (IndexSearch search = stream.index().search();
                StreamReader reader = store.reader()) {
            search.search(Probe.all(), timeNs, timeNs, interval -> {
                if (reader.read(interval.data(), record)) {
                    points.wrap(record.buffer(), 0, record.buffer().capacity());
                    while (points.next()) {
                        if (points.point().timeNs() == timeNs) {
                            time.add(points.rowHash());
                        }
                    }
                }
                return !time.isUnknown;
            });
        } catch (ChimeraException e) {
            time.forget(); // what cannot be read may hold any row
        }
        return time;
    }

    /** The rows of one time. */
    private final class Time {
        private LongHashSet hashes = new LongHashSet();
        private boolean isUnknown;

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
