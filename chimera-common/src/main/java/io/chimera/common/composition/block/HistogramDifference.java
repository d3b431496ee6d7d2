package io.chimera.common.composition.block;

import io.chimera.api.model.HistogramWriter;
import io.chimera.common.wire.HistogramFlyweight;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/** Subtracts an earlier histogram from a later one of the same series. Not thread-safe; allocates only to grow. */
final class HistogramDifference {
    private final HistogramFlyweight earlier = new HistogramFlyweight();
    private final HistogramFlyweight later = new HistogramFlyweight();
    private final UnsafeBuffer earlierBytes = new UnsafeBuffer(new byte[0]);
    private final UnsafeBuffer laterBytes = new UnsafeBuffer(new byte[0]);
    private final Side positive = new Side();
    private final Side negative = new Side();
    private final HistogramWriter writer = new HistogramWriter();
    private int length;
    private int shift;

    /** Whether the earlier histogram has a bucket that the later one lacks: the counter began again. */
    private boolean isOutside;

    /** Counts of the buckets of one sign. */
    private static final class Side {
        private long[] counts = new long[64];
        private int first;
        private int length;

        void clear() {
            length = 0;
        }

        /** Adds to a bucket of the later histogram; its buckets come in ascending order. */
        void add(int index, long count) {
            if (length == 0) {
                first = index;
            }
            int place = index - first;
            if (place >= counts.length) {
                counts = Arrays.copyOf(counts, Math.max(place + 1, 2 * counts.length));
            }
            if (place >= length) {
                Arrays.fill(counts, length, place + 1, 0);
                length = place + 1;
            }
            counts[place] += count;
        }

        /** Subtracts from a bucket; false if the later histogram has no such bucket. */
        boolean subtract(int index, long count) {
            long place = (long) index - first;
            if (place < 0 || place >= length) {
                return false;
            }
            counts[(int) place] -= count;
            return true;
        }

        long at(int index) {
            int place = index - first;
            return place < 0 || place >= length ? 0 : counts[place];
        }

        boolean hasNegative() {
            for (int i = 0; i < length; i++) {
                if (counts[i] < 0) {
                    return true;
                }
            }
            return false;
        }

        void write(HistogramWriter to) {
            int from = 0;
            int end = length;
            while (from < end && counts[from] == 0) {
                from++;
            }
            while (end > from && counts[end - 1] == 0) {
                end--;
            }
            to.buckets(from == end ? 0 : first + from, end - from);
            for (int i = from; i < end; i++) {
                to.bucket(counts[i]);
            }
        }
    }

    /** Length in bytes of the last difference. */
    int length() {
        return length;
    }

    /**
     * Subtracts.
     *
     * @return the difference, from index 0: the later histogram itself if a count has become smaller, or if the bounds
     *     differ, because the counter began again
     */
    byte[] between(byte[] earlierArray, int earlierLength, byte[] laterArray, int laterLength) {
        earlierBytes.wrap(earlierArray);
        laterBytes.wrap(laterArray);
        earlier.wrap(earlierBytes, 0, earlierLength);
        later.wrap(laterBytes, 0, laterLength);
        boolean isSubtracted =
                later.count() >= earlier.count() && (later.isExplicit() ? hasSameBounds() : !earlier.isExplicit());
        if (isSubtracted && (later.isExplicit() ? subtractExplicit() : subtractExponential())) {
            length = writer.end(later.sum() - earlier.sum(), Double.NaN, Double.NaN);
            if (length > 0) {
                return writer.bytes();
            }
        }
        length = laterLength;
        return laterArray;
    }

    private boolean hasSameBounds() {
        int bounds = later.bounds();
        if (!earlier.isExplicit() || earlier.bounds() != bounds) {
            return false;
        }
        for (int i = 0; i < bounds; i++) {
            if (earlier.bound(i) != later.bound(i)) {
                return false;
            }
        }
        return true;
    }

    private boolean subtractExplicit() {
        count(0, 0);
        int bounds = later.bounds();
        if (isOutside || positive.hasNegative()) {
            return false;
        }
        writer.begin(HistogramWriter.EXPLICIT, 0, 0);
        writer.bounds(bounds);
        for (int i = 0; i < bounds; i++) {
            writer.bound(later.bound(i));
        }
        for (int i = 0; i <= bounds; i++) {
            writer.bucket(positive.at(i));
        }
        return true;
    }

    private boolean subtractExponential() {
        int scale = Math.min(earlier.scale(), later.scale());
        count(later.scale() - scale, earlier.scale() - scale);
        long zeros = later.zeroCount() - earlier.zeroCount();
        if (isOutside || zeros < 0 || positive.hasNegative() || negative.hasNegative()) {
            return false;
        }
        writer.begin(scale, later.zeroThreshold(), zeros);
        positive.write(writer);
        negative.write(writer);
        return true;
    }

    private void count(int laterShift, int earlierShift) {
        positive.clear();
        negative.clear();
        isOutside = false;
        shift = laterShift;
        later.buckets(this::add);
        shift = earlierShift;
        earlier.buckets(this::subtract);
    }

    private void add(boolean isNegative, int index, long count) {
        (isNegative ? negative : positive).add(index >> shift, count);
    }

    private void subtract(boolean isNegative, int index, long count) {
        isOutside |= !(isNegative ? negative : positive).subtract(index >> shift, count);
    }
}
