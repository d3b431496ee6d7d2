package io.chimera.archive.query;

import io.chimera.api.model.Row;
import io.chimera.api.spi.PointView;
import io.chimera.archive.streamfs.StreamStore;
import java.util.List;

/** An answer to a question about data points: every row once per stream, as it was written last. */
public final class PointQuery extends ArchiveQuery<PointItems> {
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
        return items().points().row();
    }
}
