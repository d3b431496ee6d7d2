package io.chimera.archive.query;

import io.chimera.api.model.Row;
import io.chimera.api.spi.PointSink;
import io.chimera.archive.index.IndexWriter;
import io.chimera.archive.index.IntervalAdder;
import io.chimera.archive.streamfs.RecordView;
import io.chimera.archive.streamfs.StreamStore;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;

/**
 * Archives rows as data points: cuts them into intervals, appends these to a data stream and their keys to its index. A row that is
 * written again is appended again, in an interval that says so; answers have the last one only.
 *
 * <p>One thread at a time, that of the store's writer, which also calls {@link StreamStore#doWork}.
 */
public final class PointArchive {
    private final Clock clock;
    private final Counters<ArchiveCounter> counters;
    private final PointIntervalWriter interval;
    private final IntervalAppender appender;
    private final WrittenRows written;

    /**
     * Opens or creates the stream. What the index lacks since the last time is read again first.
     *
     * @throws ChimeraException when the guarantee does not fit, or the device cannot be read
     */
    public PointArchive(StreamStore store, ArchiveSettings settings, Clock clock, Counters<ArchiveCounter> counters) {
        this(store, settings, clock, counters, WrittenRows.ROWS_MAX);
    }

    PointArchive(
            StreamStore store,
            ArchiveSettings settings,
            Clock clock,
            Counters<ArchiveCounter> counters,
            int writtenRowsMax) {
        this.clock = clock;
        this.counters = counters;
        interval = new PointIntervalWriter(settings.intervalBytes());
        if (interval.bytesMax() > store.recordLengthMax()) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Data points cannot be archived in blocks this small: the longest point takes "
                            + interval.bytesMax() + " bytes, and a record has " + store.recordLengthMax()
                            + " at most; create the volume with blocks of 1 MiB.");
        }
        ArchiveStream stream = ArchiveStream.create(store, ArchiveStream.POINTS, settings);
        appender = new IntervalAppender(store, stream, counters);
        appender.rebuild(new Reindexing());
        written = new WrittenRows(store, stream, writtenRowsMax);
    }

    /** What is written, to be asked by any thread. */
    public ArchiveStream stream() {
        return appender.stream();
    }

    /**
     * Takes a row. It can be found once the interval is {@link #cut}.
     *
     * @return false when there is no room now: call {@link #doWork} and that of the store, and try again
     * @throws IllegalArgumentException when the row cannot be archived, which says why
     */
    public boolean add(Row row) {
        int code = interval.add(row);
        if (code == PointIntervalWriter.FULL) {
            if (!cut()) {
                return false;
            }
            code = interval.add(row);
        }
        if (code != PointSink.OK) {
            throw new IllegalArgumentException(row + " cannot be archived: " + PointSink.reasonOf(code) + ".");
        }
        PointKeys.add(interval.point(), appender.sink());
        if (written.add(interval.point().timeNs(), interval.rowHash())) {
            interval.again();
        }
        return true;
    }

    /**
     * Appends the interval, if it has points.
     *
     * @return false when there is no room now: call {@link #doWork} and that of the store, and try again
     */
    public boolean cut() {
        int points = interval.points();
        if (points == 0) {
            return true;
        }
        if (interval.isAgain()) {
            PointKeys.addAgain(appender.sink());
        }
        if (!appender.append(
                interval.buffer(), interval.finish(clock.epochNs()), interval.firstNs(), interval.lastNs(), points)) {
            return false;
        }
        counters.add(ArchiveCounter.ARCHIVE_POINTS, points);
        counters.add(ArchiveCounter.ARCHIVE_POINTS_AGAIN, interval.isAgain() ? points : 0);
        interval.clear();
        written.trim();
        return true;
    }

    /** Appends what is due of the index. Does not wait. Returns 0 when there was nothing to do. */
    public int doWork() {
        return appender.doWork();
    }

    /** Appends the index of all there is, and asks that everything is made durable. Nothing is added afterwards. */
    public void end() {
        appender.finish();
    }

    /** Whether all that was appended survives a loss of power. */
    public boolean isDurable() {
        return appender.isDurable();
    }

    /** Adds the keys of an interval that is in the data stream and not yet in the index. */
    private final class Reindexing implements IntervalAdder {
        private final PointInterval points = new PointInterval();

        @Override
        public void add(RecordView record, IndexWriter into) {
            points.wrap(record.buffer(), 0, record.buffer().capacity());
            while (points.next()) {
                PointKeys.add(points.point(), appender.sink());
            }
            if (points.isAgain()) {
                PointKeys.addAgain(appender.sink());
            }
            into.endInterval(record.handle(), record.number(), points.firstNs(), points.lastNs(), points.points());
        }
    }
}
