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
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongHashSet;

/**
 * Archives rows as data points: cuts them into intervals, appends these to a data stream and their keys to its index. A row that is
 * written again is appended again, in an interval that says so; answers have the last one only.
 *
 * <p>One thread at a time, that of the store's writer, which also calls {@link StreamStore#doWork}.
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

    /** Tells of rows what they would be, without adding them. */
    private final PointIntervalWriter trial;

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
        this.store = store;
        this.clock = clock;
        this.counters = counters;
        interval = new PointIntervalWriter(settings.intervalBytes());
        trial = new PointIntervalWriter(settings.intervalBytes());
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
        points = new PointsOfTime(store, stream);
        written = new WrittenRows(points, writtenRowsMax);
        readBack = new ReadBack(points);
    }

    /** What is written, to be asked by any thread. */
    public ArchiveStream stream() {
        return appender.stream();
    }

    /**
     * Whether a row can be archived. Nothing is added.
     *
     * @return {@link PointSink#OK}, or the code of what is wrong
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
     * Takes a row. It can be found once the interval is {@link #cut}.
     *
     * @param row that can be archived, see {@link #check}
     * @return false when there is no room now: call {@link #doWork} and that of the store, and try again
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
     * Appends the interval, if it has points.
     *
     * @return false when there is no room now: call {@link #doWork} and that of the store, and try again
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
        readBack.appended(appender.newest(), interval.firstNs(), interval.lastNs());
        isTooSmall |= !written.appended(
                interval.lastNs(), appender.number(), store.oldest(stream().number()));
        interval.clear();
        written.trim();
        return true;
    }

    /**
     * Forgets the rows that were taken since the last {@link #cut}: whoever gave them was told that they are not taken, and writes them
     * again. Otherwise they would go out with later rows, and as if they were as new. Their keys stay with the interval, which costs a read in
     * vain at most.
     */
    public void drop() {
        interval.clear();
    }

    /**
     * Reads rows back.
     *
     * @param wanted rows of one time
     * @return of each metric, tags, time and type among them that can be read, one row, as it was written last
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

    /** Appends what is due of the index. Does not wait. Returns 0 when there was nothing to do. */
    public int doWork() {
        return appender.doWork(clock.nanoTime());
    }

    /** Appends the index of all there is, and asks that everything is made durable. Nothing is added afterwards. */
    public void end() {
        appender.finish();
    }

    /** Gives memory back, also where {@link #end} failed; the store is closed afterwards. */
    @Override
    public void close() {
        points.close();
    }

    /** Whether rows were overwritten before all of their time were written: there is room for less than a cycle. */
    public boolean isTooSmall() {
        return isTooSmall;
    }

    /** Whether all that was appended survives a loss of power. */
    public boolean isDurable() {
        return appender.isDurable();
    }

    /** Adds the keys of an interval that is in the data stream and not yet in the index. */
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

        /** Whether it is one, whole, of which this knows how to read it: nothing of it is added before that is known. */
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
