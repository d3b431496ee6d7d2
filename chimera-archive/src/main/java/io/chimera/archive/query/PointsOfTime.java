package io.chimera.archive.query;

import io.chimera.archive.index.IndexSearch;
import io.chimera.archive.index.Probe;
import io.chimera.archive.streamfs.RecordView;
import io.chimera.archive.streamfs.StreamReader;
import io.chimera.archive.streamfs.StreamStore;
import io.chimera.common.error.ChimeraException;
import java.util.function.Predicate;

/** The data points that a stream has of one time, in the order of appending, each as often as it was written. One thread. */
final class PointsOfTime {
    private final StreamStore store;
    private final ArchiveStream stream;
    private final PointInterval points = new PointInterval();
    private final RecordView record = new RecordView();

    PointsOfTime(StreamStore store, ArchiveStream stream) {
        this.store = store;
        this.stream = stream;
    }

    /**
     * Visits them.
     *
     * @param visitor is shown the cursor at each point; false: it has seen enough
     * @return whether all of them could be read
     * @throws ChimeraException when the index cannot be read
     */
    boolean visit(long timeNs, Predicate<PointInterval> visitor) {
        boolean[] isWhole = {true};
        try (IndexSearch search = stream.index().search();
                StreamReader reader = store.reader()) {
            search.search(Probe.all(), timeNs, timeNs, interval -> {
                try {
                    return !reader.read(interval.data(), record) || visit(timeNs, record, visitor);
                } catch (ChimeraException e) {
                    isWhole[0] = false;
                    return true;
                }
            });
        }
        return isWhole[0];
    }

    private boolean visit(long timeNs, RecordView of, Predicate<PointInterval> visitor) {
        points.wrap(of.buffer(), 0, of.buffer().capacity());
        while (points.next()) {
            if (points.point().timeNs() == timeNs && !visitor.test(points)) {
                return false;
            }
        }
        return true;
    }
}
