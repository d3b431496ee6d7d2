package io.chimera.archive.query;

import io.chimera.api.model.Row;
import io.chimera.archive.streamfs.StreamStore;
import java.util.List;

/** An answer to a question about data points: every row once per stream, as it was written last. */
public final class PointQuery extends ArchiveQuery<PointItems> implements FoundPoints {
    private final PointFilter filter;

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
        this(store, streams, question, filter, filter);
    }

    /**
     * An answer of rows that meet one filter, which says of each whether it meets the other.
     *
     * @param wanted decides which rows there are
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
     * Asks for another node, which has rows of others, too: with those that only another value lets meet the filter.
     *
     * @throws QuestionException when the question is not understood, or names a stream that is not there
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
