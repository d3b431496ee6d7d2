package io.chimera.archive.query;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.PointView;
import io.chimera.archive.streamfs.StreamStore;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An answer to a question about data points: every row once per stream, as it was written last. */
public final class PointQuery extends ArchiveQuery<PointItems> {
    private static final long NS_PER_MS = 1_000_000;

    /**
     * Asks.
     *
     * @param streams of the store; one of them is asked where the question names it, all of data points otherwise
     * @throws QuestionException when the question is not understood, or names a stream that is not there
     */
    public PointQuery(StreamStore store, List<ArchiveStream> streams, Question question) {
        this(store, streams, question, PointFilter.compile(question.filter()));
    }

    private PointQuery(StreamStore store, List<ArchiveStream> streams, Question question, PointFilter filter) {
        super(
                store,
                streams,
                question,
                ArchiveStream.POINTS,
                filter.warnings(),
                stream -> new PointItems(store, stream, question, filter));
    }

    /** The point. Valid until the next. */
    public PointView point() {
        return items().points().point();
    }

    /** When the point was written, ns since 1970. */
    public long writtenNs() {
        return items().points().writtenNs();
    }

    /** The point as the row that it was. */
    public Row row() {
        PointView point = point();
        Map<String, String> tags = new TreeMap<>();
        for (int i = 0; i < point.tags(); i++) {
            tags.put(point.tagName(i).toString(), point.tagValue(i).toString());
        }
        long timeMs = point.timeNs() / NS_PER_MS;
        String metric = point.metric().toString();
        return PointInterval.isLong(point)
                ? Row.ofLong(metric, Tags.of(tags), timeMs, point.whole(0))
                : Row.ofDouble(metric, Tags.of(tags), timeMs, point.number(0));
    }
}
