package io.chimera.archive.query;

import java.util.List;
import java.util.Optional;

/** What was found for a question, item by item. One thread, but for {@link #cancel}. */
public interface FoundItems extends AutoCloseable {
    /** What whoever asked should be told, though the question is understood; often empty. */
    List<String> warnings();

    /**
     * Finds out what has to be known ahead of the first item; {@link #next} does where nobody did. It may take a while, which
     * {@link #cancel} ends.
     *
     * @throws QuestionException when that is too much to be known
     * @throws io.chimera.common.error.ChimeraException when the index cannot be read
     */
    default void prepare() {}

    /**
     * Goes to the next item.
     *
     * @return false when there is none, the limit is reached, or it was cancelled
     * @throws io.chimera.common.error.ChimeraException when the answer cannot be finished
     */
    boolean next();

    /** The data stream that the item comes from. */
    String stream();

    /** What was done up to now; whole once {@link #next} has returned false. */
    QueryProgress progress();

    /** Of whom, where several nodes were asked. Whole once {@link #next} has returned false. */
    default Optional<NodeReport> nodes() {
        return Optional.empty();
    }

    /** Ends the answer at the next item. Any thread. */
    void cancel();

    /** Whether it was cancelled: then {@link #next} may have returned false ahead of the end. Any thread. */
    boolean isCancelled();

    @Override
    void close();
}
