package io.chimera.queue.journal.index;

import java.util.Arrays;

/**
 * Disjoint ranges (after, upTo] of sequence numbers in ascending order; immutable. The number of ranges is small: one,
 * plus one per absence of the node.
 */
final class SeqRanges {
    static final SeqRanges NONE = new SeqRanges(new long[0]);

    /** after, upTo, after, upTo … */
    private final long[] bounds;

    private SeqRanges(long[] bounds) {
        this.bounds = bounds;
    }

    boolean isEmpty() {
        return bounds.length == 0;
    }

    /**
     * Returns these ranges plus a further range. The further range must not begin before the last range; the overlap is
     * merged.
     */
    SeqRanges with(long after, long upTo) {
        int last = bounds.length - 1;
        if (last >= 0 && upTo <= bounds[last]) {
            return this;
        }
        if (last >= 0 && after <= bounds[last]) {
            long[] longer = bounds.clone();
            longer[last] = upTo;
            return new SeqRanges(longer);
        }
        long[] more = Arrays.copyOf(bounds, bounds.length + 2);
        more[last + 1] = after;
        more[last + 2] = upTo;
        return new SeqRanges(more);
    }

    /** Returns the parts of these ranges above a sequence number. */
    SeqRanges above(long seq) {
        int from = 0;
        while (from < bounds.length && bounds[from + 1] <= seq) {
            from += 2;
        }
        if (from == 0 && (isEmpty() || bounds[0] >= seq)) {
            return this;
        }
        long[] rest = Arrays.copyOfRange(bounds, from, bounds.length);
        if (rest.length > 0) {
            rest[0] = Math.max(rest[0], seq);
        }
        return new SeqRanges(rest);
    }

    /** End of the range that contains the record after {@code after}; {@code after} itself without such a range. */
    long reach(long after) {
        for (int i = 0; i < bounds.length; i += 2) {
            if (bounds[i] <= after && after < bounds[i + 1]) {
                return bounds[i + 1];
            }
        }
        return after;
    }

    @Override
    public String toString() {
        return Arrays.toString(bounds);
    }
}
