package io.chimera.archive.query.answer;

import io.chimera.api.model.Row;
import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.filter.PointFilter;
import io.chimera.archive.query.point.PointInterval;
import io.chimera.archive.query.point.PointItems;
import io.chimera.archive.query.text.QuestionException;
import io.chimera.archive.streamfs.store.StreamStore;
import java.util.List;

/** Answer to a question about data points: the last version of every row, once per stream. */
public final class PointQuery extends ArchiveQuery<PointItems> implements FoundPoints {
    private final PointFilter filter;

    /**
     * Starts the query.
     *
     * @param streams streams of the store; the question names one of them, or all streams of data points are queried
     * @throws QuestionException when the question is invalid, or names an unknown stream
     */
    public PointQuery(StreamStore store, List<ArchiveStream> streams, Question question) {
        this(store, streams, question, PointFilter.compile(question.filter()));
    }

    private PointQuery(StreamStore store, List<ArchiveStream> streams, Question question, PointFilter filter) {
        this(store, streams, question, filter, filter);
    }

    /**
     * Selects rows with one filter and evaluates the other filter for each row.
     *
     * @param wanted filter for the rows of the answer
     */
    private PointQuery(
            StreamStore store, List<ArchiveStream> streams, Question question, PointFilter filter, PointFilter wanted) {
        super(
                store,
                streams,
                question,
                ArchiveStream.POINTS,
                filter.warnings(),
                stream -> new PointItems(store, stream, question, wanted));
        this.filter = filter;
    }

    /**
     * Starts a query for another node, which merges rows of several nodes. The answer includes rows whose value does
     * not meet the filter, but another value could.
     *
     * @throws QuestionException when the question is invalid, or names an unknown stream
     */
    public static PointQuery ofAnyValue(StreamStore store, List<ArchiveStream> streams, Question question) {
        PointFilter filter = PointFilter.compile(question.filter());
        return new PointQuery(store, streams, question, filter, filter.ofAnyValue(PointInterval.FIELD));
    }

    @Override
    public long writtenNs() {
        return items().points().writtenNs();
    }

    @Override
    public Row row() {
        return items().points().row();
    }

    @Override
    public boolean isMet() {
        return filter.matches(items().points().point());
    }
}
