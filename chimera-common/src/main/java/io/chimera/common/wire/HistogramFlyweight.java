package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.api.model.HistogramWriter;
import org.agrona.DirectBuffer;

/** Reads a histogram in place; {@link HistogramWriter} has the layout. Not thread-safe; allocates nothing. */
public final class HistogramFlyweight {
    /** Maximum number of numbers: sums of many histograms stay far from the largest long. */
    static final long COUNT_MAX = 1L << 48;

    /** Bound of the indexes of buckets at scale 0: the smallest double is 2^-1074. */
    private static final long INDEX_MAX = 1_100;

    private static final long BAD = -1;
    private static final int SEVEN_BITS = 7;

    private DirectBuffer buffer;
    private int offset;
    private int end;
    private int position;

    /** Receives the buckets of a histogram that have a count. */
    public interface BucketSink {
        /**
         * Receives a bucket.
         *
         * @param isNegative whether the bucket is for negative numbers
         * @param index of an exponential bucket; with explicit bounds 0 to the number of bounds
         * @param count at least 1
         */
        @HotPath
        void bucket(boolean isNegative, int index, long count);
    }

    /** Sink without effect, for validation. */
    private static final BucketSink NOWHERE = (isNegative, index, count) -> {};

    /** Creates a flyweight without a buffer. */
    public HistogramFlyweight() {}

    /**
     * Wraps this flyweight over a histogram.
     *
     * @param source holds the histogram
     * @param start index of the first byte
     * @param length in bytes
     * @return this
     */
    @HotPath
    public HistogramFlyweight wrap(DirectBuffer source, int start, int length) {
        buffer = source;
        offset = start;
        end = start + length;
        return this;
    }

    /**
     * Returns whether the bytes are a histogram: known version and scale, numbers in their ranges, buckets up to the
     * last byte, and a count that is the sum of the buckets.
     */
    @HotPath
    public boolean isWhole() {
        return end - offset > HistogramWriter.BUCKETS
                && buffer.getByte(offset) == HistogramWriter.VERSION
                && isHeadValid()
                && count() <= COUNT_MAX
                && walk(NOWHERE) == count()
                && position == end;
    }

    private boolean isHeadValid() {
        double threshold = zeroThreshold();
        boolean isScale = scale() >= HistogramWriter.SCALE_MIN && scale() <= HistogramWriter.SCALE_MAX;
        boolean isZeroEmpty = threshold == 0 && zeroCount() == 0;
        return (isScale || (isExplicit() && isZeroEmpty))
                && threshold >= 0
                && Double.isFinite(threshold)
                && zeroCount() >= 0
                && count() >= 0
                && !Double.isInfinite(sum())
                && !Double.isInfinite(min())
                && !Double.isInfinite(max());
    }

    /** Scale of the buckets; {@link HistogramWriter#EXPLICIT} with explicit bounds. */
    public int scale() {
        return buffer.getByte(offset + HistogramWriter.SCALE);
    }

    /** Returns whether the buckets have explicit bounds. */
    public boolean isExplicit() {
        return scale() == HistogramWriter.EXPLICIT;
    }

    /** Numbers of at most this absolute value are in no bucket. */
    public double zeroThreshold() {
        return number(HistogramWriter.ZERO_THRESHOLD);
    }

    /** Number of numbers within the zero threshold. */
    public long zeroCount() {
        return buffer.getLong(offset + HistogramWriter.ZERO_COUNT, LITTLE_ENDIAN);
    }

    /** Number of numbers. */
    public long count() {
        return buffer.getLong(offset + HistogramWriter.COUNT, LITTLE_ENDIAN);
    }

    /** Sum of the numbers; NaN if unknown. */
    public double sum() {
        return number(HistogramWriter.SUM);
    }

    /** Smallest number; NaN if unknown. */
    public double min() {
        return number(HistogramWriter.MIN);
    }

    /** Largest number; NaN if unknown. */
    public double max() {
        return number(HistogramWriter.MAX);
    }

    private double number(int at) {
        return Double.longBitsToDouble(buffer.getLong(offset + at, LITTLE_ENDIAN));
    }

    /** Passes the buckets of a whole histogram to a sink. */
    @HotPath
    public void buckets(BucketSink sink) {
        walk(sink);
    }

    /** Number of explicit bounds of a whole histogram. */
    public int bounds() {
        position = offset + HistogramWriter.BUCKETS;
        return (int) varint();
    }

    /**
     * Explicit bound of a whole histogram.
     *
     * @param index 0 to {@link #bounds()} - 1
     */
    public double bound(int index) {
        bounds();
        return boundAt(position + Double.BYTES * index);
    }

    /** Formats count and sum, for tools. */
    @ColdPath
    @Override
    public String toString() {
        return "histogram(count=" + count() + ", sum=" + sum() + ", min=" + min() + ", max=" + max()
                + (isExplicit() ? ", bounds=" + bounds() : ", scale=" + scale())
                + ")";
    }

    /** Walks over the buckets; returns the sum of all counts, or a negative number when the buckets are malformed. */
    private long walk(BucketSink sink) {
        position = offset + HistogramWriter.BUCKETS;
        if (isExplicit()) {
            long bounds = varint();
            return areBoundsValid(bounds) ? counts(sink, false, 0, bounds + 1, 0) : BAD;
        }
        long positive = side(sink, false, zeroCount());
        return positive < 0 ? BAD : side(sink, true, positive);
    }

    private boolean areBoundsValid(long count) {
        if (count < 0 || count > (end - position) / Double.BYTES) {
            return false;
        }
        double last = Double.NEGATIVE_INFINITY;
        for (long i = count; i > 0; i--) {
            double bound = boundAt(position);
            if (!(bound > last) || bound == Double.POSITIVE_INFINITY) {
                return false;
            }
            last = bound;
            position += Double.BYTES;
        }
        return true;
    }

    private double boundAt(int at) {
        return Double.longBitsToDouble(buffer.getLong(at, LITTLE_ENDIAN));
    }

    private long side(BucketSink sink, boolean isNegative, long before) {
        long coded = varint();
        long first = (coded >>> 1) ^ -(coded & 1);
        long count = varint();
        boolean isRange = count >= 0 && count <= end - position && isRange(first, first + count - 1);
        return isRange && position <= end ? counts(sink, isNegative, (int) first, count, before) : BAD;
    }

    /** Returns whether doubles have buckets with these indexes. */
    private boolean isRange(long first, long last) {
        long most = scale() >= 0 ? INDEX_MAX << scale() : (INDEX_MAX >> -scale()) + 1;
        return first >= -most && last <= most;
    }

    private long counts(BucketSink sink, boolean isNegative, int first, long count, long before) {
        long sum = before;
        for (int i = 0; i < count; i++) {
            long number = varint();
            sum += number;
            if (number < 0 || sum < 0) {
                return BAD;
            }
            if (number > 0) {
                sink.bucket(isNegative, first + i, number);
            }
        }
        return sum;
    }

    /** Reads a varint; negative when the bytes end before it, or when it has more than 63 bits. */
    private long varint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE - 1 && position < end; shift += SEVEN_BITS) {
            byte next = buffer.getByte(position++);
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
        position = end + 1; // no histogram ends here
        return BAD;
    }
}
