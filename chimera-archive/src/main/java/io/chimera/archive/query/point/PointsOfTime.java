package io.chimera.archive.query.point;

import io.chimera.archive.index.IndexSearch;
import io.chimera.archive.index.SearchCounts;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.error.ChimeraException;
import java.util.function.Predicate;

/** Visits the data points of a time in a stream, with all versions, in the order of appending. Single-threaded. */
final class PointsOfTime implements AutoCloseable {
    private final IndexSearch search;
    private final StreamReader reader;
    private final PointInterval points = new PointInterval();
    private final RecordView record = new RecordView();

    PointsOfTime(StreamStore store, ArchiveStream stream) {
        search = stream.index().search();
        reader = store.reader();
    }

    /**
     * Visits the points of a time.
     *
     * @param visitor receives the cursor at each point; returns false to stop
     * @return true if all points could be read
     * @throws ChimeraException when the index cannot be read
     */
    boolean visit(long timeNs, Predicate<PointInterval> visitor) {
        boolean[] isWhole = {true};
        SearchCounts counts = search.search(Probe.all(), timeNs, timeNs, interval -> {
            try {
                return visit(interval.data(), timeNs, visitor);
            } catch (ChimeraException e) {
                isWhole[0] = false;
                return true;
            }
        });
        return isWhole[0] && counts.intervalsDamaged() == 0;
    }

    /**
     * Visits the points of one interval.
     *
     * @return false when the visitor stopped
     * @throws ChimeraException when the interval cannot be read
     */
    boolean visit(RecordHandle interval, long timeNs, Predicate<PointInterval> visitor) {
        if (!reader.read(interval, record)) {
            return true;
        }
        points.wrap(record.buffer(), 0, record.buffer().capacity());
        while (points.next()) {
            if (points.point().timeNs() == timeNs && !visitor.test(points)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        search.close();
        reader.close();
    }
}
