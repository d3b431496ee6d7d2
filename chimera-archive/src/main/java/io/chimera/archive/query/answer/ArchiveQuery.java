package io.chimera.archive.query.answer;

import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.Explanation;
import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.interval.IntervalSource;
import io.chimera.archive.query.interval.Items;
import io.chimera.archive.query.text.QuestionException;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Answer to a question, read item by item. Items of one data stream come in the order of arrival; several streams are
 * merged by time. The answer contains the items archived before its start, even while the writer continues.
 * Single-threaded.
 *
 * @param <I> kind of items
 */
public abstract sealed class ArchiveQuery<I extends Items> implements FoundItems permits PacketQuery, PointQuery {
    private final long limit;
    private final List<String> warnings;
    private final String filter;
    private final List<IntervalSource<I>> sources = new ArrayList<>();
    private final PriorityQueue<IntervalSource<I>> heads = new PriorityQueue<>(
            Comparator.<IntervalSource<I>>comparingLong(source -> source.items().timeNs())
                    .thenComparingInt(source -> source.stream().number()));
    private @Nullable IntervalSource<I> current;
    private boolean isPrepared;
    private boolean hasBegun;
    private long found;
    private volatile boolean isCancelled;

    /**
     * Starts the search of the index.
     *
     * @param kind kind of the queried streams
     * @param items creates the item cursor of a stream
     */
    ArchiveQuery(
            StreamStore store,
            List<ArchiveStream> streams,
            Question question,
            String kind,
            List<String> warnings,
            Function<ArchiveStream, I> items) {
        limit = question.limit();
        filter = question.filter().strip();
        Clock clock = new SystemClock();
        this.warnings = warnings;
        try {
            asked(streams, question, kind)
                    .forEach(stream ->
                            sources.add(new IntervalSource<>(store, stream, question, items.apply(stream), clock)));
        } catch (Throwable e) { // also an Error: otherwise the searches already started would wait forever
            close();
            throw e;
        }
    }

    /**
     * Answers a question about packets or data points, depending on the kind of the queried streams.
     *
     * @param streams streams of the store; the question names one of them, or all are queried
     * @throws QuestionException when the question is invalid, names an unknown stream, or leaves open which of two
     *     kinds it is about
     */
    public static ArchiveQuery<?> of(StreamStore store, List<ArchiveStream> streams, Question question) {
        return isOfPoints(streams, question)
                ? new PointQuery(store, streams, question)
                : new PacketQuery(store, streams, question);
    }

    private static boolean isOfPoints(List<ArchiveStream> streams, Question question) {
        List<ArchiveStream> asked = question.stream().isEmpty()
                ? streams
                : streams.stream()
                        .filter(stream -> stream.name().equals(question.stream()))
                        .toList();
        List<String> kinds = asked.stream().map(ArchiveStream::kind).distinct().toList();
        if (kinds.size() > 1) {
            throw new QuestionException(
                    "Packets and data points have different filter languages, and streams of both exist: "
                            + names(streams) + ". Select one with 'stream'.");
        }
        return kinds.contains(ArchiveStream.POINTS);
    }

    private static String names(List<ArchiveStream> streams) {
        return streams.stream().map(ArchiveStream::name).collect(Collectors.joining(", "));
    }

    private static List<ArchiveStream> asked(List<ArchiveStream> all, Question question, String kind) {
        List<ArchiveStream> streams =
                all.stream().filter(stream -> stream.kind().equals(kind)).toList();
        if (question.stream().isEmpty()) {
            return streams;
        }
        return List.of(streams.stream()
                .filter(stream -> stream.name().equals(question.stream()))
                .findFirst()
                .orElseThrow(() -> new QuestionException("There is no stream " + question.stream() + " of " + kind
                        + "; available streams: " + names(streams) + ".")));
    }

    @Override
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public void prepare() {
        if (!isPrepared) {
            isPrepared = true;
            sources.forEach(source -> source.prepare(() -> isCancelled));
        }
    }

    /** See {@link FoundItems#next}. Unreadable intervals are counted and skipped. */
    @Override
    public boolean next() {
        if (found == limit || isCancelled) {
            return false;
        }
        if (!hasBegun) {
            prepare();
            hasBegun = true;
            sources.forEach(this::advance);
        } else if (current != null) {
            advance(current);
        }
        current = heads.poll();
        found += current == null ? 0 : 1;
        return current != null;
    }

    private void advance(IntervalSource<I> source) {
        if (source.next()) {
            heads.add(source);
        }
    }

    /** Returns the cursor at the current item. */
    final I items() {
        return current().items();
    }

    private IntervalSource<I> current() {
        return Objects.requireNonNull(current, "There is a current item only after next() has returned true.");
    }

    @Override
    public String stream() {
        return current().stream().name();
    }

    @Override
    public QueryProgress progress() {
        QueryProgress all =
                sources.stream().map(IntervalSource::progress).reduce(QueryProgress.NONE, QueryProgress::plus);
        return all.withFound(found);
    }

    /**
     * Returns the probe of the index and the cost of each step so far; complete once {@link #next} has returned false.
     */
    public Explanation explanation() {
        return new Explanation(
                filter, sources.stream().map(IntervalSource::explanation).toList());
    }

    /**
     * Returns true if the answer was cancelled. A cancelled answer ends at the next item, also while nothing is found,
     * and may be incomplete. Any thread.
     */
    @Override
    public boolean isCancelled() {
        return isCancelled;
    }

    @Override
    public void cancel() {
        isCancelled = true;
        sources.forEach(IntervalSource::cancel);
    }

    @Override
    public void close() {
        sources.forEach(IntervalSource::close);
    }
}
