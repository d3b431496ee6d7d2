package io.chimera.archive.query.point;

import io.chimera.archive.index.SearchCounts;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.filter.PointFilter;
import io.chimera.archive.query.interval.Items;
import io.chimera.archive.query.key.PointKeys;
import io.chimera.archive.query.key.ProbeWords;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamStore;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Cursor over data points of one stream, with a filter. Of rows with several versions, only the last version matches.
 * Intervals appended after the start of the query are ignored, so no row is duplicated or missing. Single-threaded.
 */
public final class PointItems implements Items {
    private final StreamStore store;
    private final ArchiveStream stream;
    private final Question question;
    private final PointFilter filter;
    private final long newest;
    private final PointInterval points = new PointInterval();
    private Overwritten overwritten = new Overwritten(0, () -> true);
    private long number;

    public PointItems(StreamStore store, ArchiveStream stream, Question question, PointFilter filter) {
        this.store = store;
        this.stream = stream;
        this.question = question;
        this.filter = filter;
        newest = stream.index().newestNumber(); // read before any search
    }

    @Override
    public void prepare(BooleanSupplier isStopped) {
        overwritten = new Overwritten(Overwritten.BYTES_MAX, isStopped);
        overwritten.find(store, stream, newest, question, filter.ofAnyValue(PointInterval.FIELD));
    }

    /** Returns the cursor with the current point and its interval, valid until the next point. */
    public PointInterval points() {
        return points;
    }

    @Override
    public Probe probe() {
        return filter.probe();
    }

    @Override
    public String probeInWords() {
        return ProbeWords.of(filter.probe(), Map.of(), PointKeys.keys());
    }

    @Override
    public int steps() {
        return 0;
    }

    @Override
    public void open(RecordView record) {
        points.wrap(record.buffer(), 0, record.buffer().capacity());
        number = record.number();
    }

    @Override
    public int count() {
        return points.points();
    }

    @Override
    public boolean next() {
        return number <= newest && points.next();
    }

    @Override
    public long timeNs() {
        return points.point().timeNs();
    }

    @Override
    public boolean matches() {
        return filter.matches(points.point()) && overwritten.isLast(points, number);
    }

    @Override
    public QueryProgress prepared() {
        SearchCounts search = overwritten.search();
        return new QueryProgress(
                0,
                overwritten.intervals(),
                0,
                0,
                overwritten.damaged(),
                overwritten.damage(),
                overwritten.dataBytes(),
                search.indexBytes(),
                search.indexReads(),
                0,
                0,
                0);
    }
}
