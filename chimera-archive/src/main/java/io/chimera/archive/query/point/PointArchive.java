package io.chimera.archive.query.point;

import io.chimera.api.model.Row;
import io.chimera.api.spi.PointSink;
import io.chimera.archive.index.IndexWriter;
import io.chimera.archive.index.IntervalAdder;
import io.chimera.archive.query.ArchiveSettings;
import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.interval.IntervalAppender;
import io.chimera.archive.query.key.PointKeys;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongHashSet;

/**
 * Archives rows as data points: cuts them into intervals, appends the intervals to a data stream, and their keys to its
 * index. A rewritten row is appended again, in an interval with a flag; answers contain only the last version.
 *
 * <p>One thread at a time, the thread of the store's writer, which also calls {@link StreamStore#doWork}.
 */
public final class PointArchive implements AutoCloseable {
    private final StreamStore store;
    private final Clock clock;
    private final Counters<ArchiveCounter> counters;
    private final PointIntervalWriter interval;
    private final IntervalAppender appender;
    private final PointsOfTime points;
    private final WrittenRows written;
    private final ReadBack readBack;

    private boolean isTooSmall;

    /** Encodes rows to check them, without adding them. */
    private final PointIntervalWriter trial;

    /**
     * Opens or creates the stream. First re-indexes the intervals missing in the index since the last run.
     *
     * @throws ChimeraException when the guarantee does not fit, or the device cannot be read
     */
    public PointArchive(StreamStore store, ArchiveSettings settings, Clock clock, Counters<ArchiveCounter> counters) {
        this(store, settings, clock, counters, WrittenRows.ROWS_MAX);
    }

    public PointArchive(
            StreamStore store,
            ArchiveSettings settings,
            Clock clock,
            Counters<ArchiveCounter> counters,
            int writtenRowsMax) {
        this.store = store;
        this.clock = clock;
        this.counters = counters;
        interval = new PointIntervalWriter(settings.intervalBytes());
        trial = new PointIntervalWriter(settings.intervalBytes());
        if (interval.bytesMax() > store.recordLengthMax()) {
            throw new ChimeraException(
                    Category.ERROR,
                    "The blocks are too small for data points: the longest point takes "
                            + interval.bytesMax() + " bytes, and a record has " + store.recordLengthMax()
                            + " at most; create the volume with blocks of 1 MiB.");
        }
        ArchiveStream stream = ArchiveStream.create(store, ArchiveStream.POINTS, settings);
        appender = new IntervalAppender(store, stream, counters);
        appender.rebuild(new Reindexing());
        points = new PointsOfTime(store, stream);
        written = new WrittenRows(points, writtenRowsMax);
        readBack = new ReadBack(points);
    }

    /** Returns the written stream, open for queries of any thread. */
    public ArchiveStream stream() {
        return appender.stream();
    }

    /**
     * Checks whether a row can be archived. Nothing is added.
     *
     * @return {@link PointSink#OK}, or an error code
     */
    public int check(Row row) {
        int code = trial.add(row);
        if (code == PointIntervalWriter.FULL) {
            trial.clear();
            code = trial.add(row);
        }
        return code;
    }

    /**
     * Adds a row. The row becomes searchable with the next {@link #cut}.
     *
     * @param row valid row, see {@link #check}
     * @return false if there is no room: call {@link #doWork} and the store's {@code doWork}, then retry
     * @throws IllegalArgumentException when the row cannot be archived
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
            interval.markAgain();
        }
        return true;
    }

    /**
     * Appends the interval, if not empty.
     *
     * @return false if there is no room: call {@link #doWork} and the store's {@code doWork}, then retry
     */
    public boolean cut() {
        int count = interval.points();
        if (count == 0) {
            return true;
        }
        if (interval.again() > 0) {
            PointKeys.addAgain(appender.sink());
        }
        if (!appender.append(
                interval.buffer(), interval.finish(clock.epochNs()), interval.firstNs(), interval.lastNs(), count)) {
            return false;
        }
        counters.add(ArchiveCounter.ARCHIVE_POINTS, count);
        counters.add(ArchiveCounter.ARCHIVE_POINTS_AGAIN, interval.again());
        RecordHandle newest = Objects.requireNonNull(appender.newest(), "an interval was appended");
        readBack.appended(newest, interval.firstNs(), interval.lastNs());
        isTooSmall |= !written.appended(
                interval.lastNs(), appender.number(), store.oldest(stream().number()));
        interval.clear();
        written.trim();
        return true;
    }

    /**
     * Discards the rows added since the last {@link #cut}. Their sender received an error and writes the rows again;
     * without this call they would go out with later rows and would look just as new. Their keys stay with the
     * interval, at the cost of at most one useless read.
     */
    public void drop() {
        interval.clear();
    }

    /**
     * Reads rows back.
     *
     * @param wanted rows of one time
     * @return the last version of every wanted row (metric, tags, time and type) that can be read
     * @throws ChimeraException when the index cannot be read
     */
    public List<Row> read(List<Row> wanted) {
        LongHashSet hashes = new LongHashSet();
        List<Row> possible = new ArrayList<>();
        for (Row row : wanted) {
            if (check(row) == PointSink.OK) {
                hashes.add(trial.rowHash());
                possible.add(row);
            }
        }
        return readBack.read(possible, hashes);
    }

    /** Appends due index records. Does not wait. Returns 0 if there was no work. */
    public int doWork() {
        return appender.doWork(clock.nanoTime());
    }

    /** Appends the rest of the index and requests a sync. No row may be added afterwards. */
    public void end() {
        appender.finish();
    }

    /** Frees memory, also after a failed {@link #end}; the caller closes the store afterwards. */
    @Override
    public void close() {
        points.close();
    }

    /**
     * Returns true if rows were overwritten before all rows of their time were written: the stream has room for less
     * than a cycle.
     */
    public boolean isTooSmall() {
        return isTooSmall;
    }

    /** Returns true if everything appended survives a loss of power. */
    public boolean isDurable() {
        return appender.isDurable();
    }

    /** Adds the keys of intervals of the data stream missing in the index. */
    private final class Reindexing implements IntervalAdder {
        private final PointInterval read = new PointInterval();

        @Override
        public void add(RecordView record, IndexWriter into) {
            if (!isInterval(record.buffer())) {
                counters.increment(ArchiveCounter.ARCHIVE_INTERVALS_FOREIGN);
                return;
            }
            read.wrap(record.buffer(), 0, record.buffer().capacity());
            while (read.next()) {
                PointKeys.add(read.point(), appender.sink());
            }
            if (read.isAgain()) {
                PointKeys.addAgain(appender.sink());
            }
            into.endInterval(record.handle(), record.number(), read.firstNs(), read.lastNs(), read.points());
        }

        /** Returns true if the record is a complete, readable interval; checked before any key is added. */
        private boolean isInterval(DirectBuffer record) {
            try {
                read.wrap(record, 0, record.capacity());
                boolean isMore = true;
                while (isMore) {
                    isMore = read.next();
                }
                return read.lastNs() >= read.firstNs();
            } catch (ChimeraException e) {
                return false;
            }
        }
    }
}
