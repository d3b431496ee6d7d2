package io.chimera.dataset.job;

import io.chimera.dataset.fetch.ReadAhead;
import io.chimera.dataset.plan.Strategy;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A split, the way of its bytes, and the bytes that are requested before the split begins. The worker that requested
 * the bytes and the worker that computes the split may differ: the requested bytes stay with the split, so that no byte
 * is read twice. Any thread; after {@link #begin} the bytes belong to the caller.
 */
final class AssignedSplit implements AutoCloseable {
    private final Split split;
    private final Strategy strategy;
    private @Nullable ReadAhead ahead;
    private boolean hasBegun;

    /**
     * Assigns a split without requested bytes.
     *
     * @param split the split
     * @param strategy strategy of the split
     */
    AssignedSplit(Split split, Strategy strategy) {
        this.split = split;
        this.strategy = strategy;
    }

    Split split() {
        return split;
    }

    Strategy strategy() {
        return strategy;
    }

    /**
     * Requests the first bytes; does nothing after the begin of the split.
     *
     * @param ranges number of ranges under way from now on
     * @param reader makes the reader of a split
     */
    synchronized void request(int ranges, Function<AssignedSplit, ReadAhead> reader) {
        if (!hasBegun) {
            opened(reader).request(ranges);
        }
    }

    /**
     * Begins the split.
     *
     * @param reader makes the reader of a split without requested bytes
     * @return the bytes; the caller closes them
     */
    synchronized ReadAhead begin(Function<AssignedSplit, ReadAhead> reader) {
        ReadAhead bytes = opened(reader);
        hasBegun = true;
        ahead = null;
        return bytes;
    }

    private ReadAhead opened(Function<AssignedSplit, ReadAhead> reader) {
        ReadAhead bytes = ahead == null ? reader.apply(this) : ahead;
        ahead = bytes;
        return bytes;
    }

    /** Gives up the bytes of a split that has not begun. */
    @Override
    public synchronized void close() {
        if (ahead != null) {
            ahead.close();
            ahead = null;
        }
    }
}
