package io.chimera.archive.query.answer;

import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.text.QuestionException;
import java.util.List;
import java.util.Optional;

/** Cursor over the items found for a question. Single-threaded, except {@link #cancel}. */
public interface FoundItems extends AutoCloseable {
    /** Returns hints for the author of an otherwise valid question; often empty. */
    List<String> warnings();

    /**
     * Collects everything needed before the first item; {@link #next} does so when no caller did. The call may take a
     * while and can be ended by {@link #cancel}.
     *
     * @throws QuestionException when the result would take too much memory
     * @throws io.chimera.common.error.ChimeraException when the index cannot be read
     */
    default void prepare() {}

    /**
     * Advances to the next item.
     *
     * @return false at the end, at the limit, or after a cancellation
     * @throws io.chimera.common.error.ChimeraException when the answer cannot be finished
     */
    boolean next();

    /** Returns the name of the item's data stream. */
    String stream();

    /** Returns the progress so far; complete once {@link #next} has returned false. */
    QueryProgress progress();

    /**
     * Returns the report on the queried nodes, for a query to several nodes. Complete once {@link #next} has returned
     * false.
     */
    default Optional<NodeReport> nodes() {
        return Optional.empty();
    }

    /** Ends the answer at the next item. Any thread. */
    void cancel();

    /** Returns true after a cancellation: {@link #next} may then have returned false early. Any thread. */
    boolean isCancelled();

    @Override
    void close();
}
