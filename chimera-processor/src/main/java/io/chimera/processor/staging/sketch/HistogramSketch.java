package io.chimera.processor.staging.sketch;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.api.model.HistogramWriter;
import io.chimera.common.wire.HistogramFlyweight;
import java.util.Arrays;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sum of histograms. Exponential histograms are added at the largest scale at which all buckets are in a window of
 * {@link BucketWindow#BUCKETS_MAX} for each sign; histograms with explicit bounds keep the bounds that all have in
 * common. Scale, bounds and counts are therefore functions of the set of histograms and do not depend on their order.
 * The zero threshold is the largest one; buckets within the threshold stay buckets, because their removal would depend
 * on the order.
 */
public final class HistogramSketch implements Sketch, HistogramFlyweight.BucketSink {
    /** Length of the words before an item and before the exponential part of an image. */
    static final int PREFIX = 8;

    /** No histogram yet: more than every scale. */
    private static final int UNSCALED = HistogramWriter.SCALE_MAX + 1;

    /** More than the longest part of an image: 2 x 320 counts, or the bounds and counts of 4 KiB. */
    private static final int PART_LENGTH_MAX = 16 << 10;

    private static final double[] NO_BOUNDS = {};

    private final HistogramFlyweight histogram = new HistogramFlyweight();
    private final BucketWindow positive = new BucketWindow();
    private final BucketWindow negative = new BucketWindow();
    private int scale = UNSCALED;
    private double zeroThreshold;
    private long zeroCount;
    private double[] bounds = NO_BOUNDS;
    /** Counts between explicit bounds; empty without a histogram with explicit bounds. */
    private long[] counts = {};

    /** Places of the buckets of the histogram being added: halvings of its indexes. */
    private int shift;

    /** Counts of the histogram with explicit bounds being added. */
    private long[] given = {};

    private boolean isExplicit;

    HistogramSketch() {}

    HistogramSketch(byte[] image) {
        UnsafeBuffer buffer = new UnsafeBuffer(image);
        int length = buffer.getInt(0, LITTLE_ENDIAN);
        int end = PREFIX + length;
        if (length > 0) {
            add(histogram.wrap(buffer, PREFIX, length));
        }
        if (end < image.length) {
            add(histogram.wrap(buffer, end, image.length - end));
        }
    }

    /** Returns the length in bytes of the item of a histogram. */
    static int itemLength(int length) {
        return PREFIX + BitUtil.align(length, PREFIX);
    }

    @Override
    public void take(DirectBuffer items, int offset, int end) {
        int item = offset;
        while (item < end) {
            int length = items.getInt(item, LITTLE_ENDIAN);
            add(histogram.wrap(items, item + PREFIX, length));
            item += itemLength(length);
        }
    }

    /** Adds a whole histogram; one without a number changes nothing. */
    void add(HistogramFlyweight from) {
        if (from.count() == 0) {
            return;
        }
        isExplicit = from.isExplicit();
        if (isExplicit) {
            int count = from.bounds();
            double[] others = new double[count];
            for (int i = 0; i < count; i++) {
                others[i] = from.bound(i);
            }
            given = new long[count + 1];
            from.buckets(this);
            addExplicit(others, given);
        } else {
            begin(from.scale(), from.zeroThreshold(), from.zeroCount());
            from.buckets(this);
        }
    }

    private void begin(int otherScale, double otherThreshold, long otherZeros) {
        if (scale == UNSCALED) {
            scale = otherScale;
        }
        while (scale > otherScale) {
            halve();
        }
        shift = otherScale - scale;
        zeroThreshold = Math.max(zeroThreshold, otherThreshold);
        zeroCount = BucketWindow.sum(zeroCount, otherZeros);
    }

    private void halve() {
        positive.halve();
        negative.halve();
        scale--;
    }

    @Override
    @HotPath
    public void bucket(boolean isNegative, int index, long count) {
        if (isExplicit) {
            given[index] += count;
            return;
        }
        BucketWindow window = isNegative ? negative : positive;
        while (!window.add(index >> shift, count)) {
            halve();
            shift++;
        }
    }

    private void addExplicit(double[] others, long[] otherCounts) {
        if (counts.length == 0) {
            bounds = others;
            counts = otherCounts.clone();
            return;
        }
        double[] common = new double[Math.min(bounds.length, others.length)];
        int length = 0;
        for (int own = 0, other = 0; own < bounds.length && other < others.length; ) {
            int order = Double.compare(bounds[own], others[other]);
            if (order == 0) {
                common[length++] = bounds[own];
            }
            own += order <= 0 ? 1 : 0;
            other += order >= 0 ? 1 : 0;
        }
        double[] kept = Arrays.copyOf(common, length);
        long[] sums = new long[length + 1];
        gather(bounds, counts, kept, sums);
        gather(others, otherCounts, kept, sums);
        bounds = kept;
        counts = sums;
    }

    private static void gather(double[] from, long[] values, double[] kept, long[] sums) {
        int into = 0;
        for (int i = 0; i < values.length; i++) {
            sums[into] = BucketWindow.sum(sums[into], values[i]);
            if (i < from.length && into < kept.length && from[i] == kept[into]) {
                into++;
            }
        }
    }

    @Override
    public void merge(Sketch from) {
        HistogramSketch other = (HistogramSketch) from;
        if (other.scale != UNSCALED) {
            isExplicit = false;
            begin(other.scale, other.zeroThreshold, other.zeroCount);
            addAll(false, other.positive);
            addAll(true, other.negative);
        }
        if (other.counts.length > 0) {
            addExplicit(other.bounds, other.counts);
        }
    }

    private void addAll(boolean isNegative, BucketWindow from) {
        for (int i = 0; i < from.length(); i++) {
            if (from.count(i) > 0) {
                bucket(isNegative, from.first() + i, from.count(i));
            }
        }
    }

    @Override
    public byte[] image() {
        HistogramWriter writer = new HistogramWriter(PART_LENGTH_MAX);
        byte[] exponential = scale == UNSCALED ? new byte[0] : exponentialPart(writer);
        byte[] explicit = counts.length == 0 ? new byte[0] : explicitPart(writer);
        byte[] image = new byte[PREFIX + exponential.length + explicit.length];
        new UnsafeBuffer(image).putInt(0, exponential.length, LITTLE_ENDIAN);
        System.arraycopy(exponential, 0, image, PREFIX, exponential.length);
        System.arraycopy(explicit, 0, image, PREFIX + exponential.length, explicit.length);
        return image;
    }

    private byte[] exponentialPart(HistogramWriter writer) {
        writer.begin(scale, zeroThreshold, zeroCount);
        write(writer, positive);
        write(writer, negative);
        return ended(writer);
    }

    private static void write(HistogramWriter writer, BucketWindow window) {
        writer.buckets(window.first(), window.length());
        for (int i = 0; i < window.length(); i++) {
            writer.bucket(window.count(i));
        }
    }

    private byte[] explicitPart(HistogramWriter writer) {
        writer.begin(HistogramWriter.EXPLICIT, 0, 0);
        writer.bounds(bounds.length);
        for (double bound : bounds) {
            writer.bound(bound);
        }
        for (long count : counts) {
            writer.bucket(count);
        }
        return ended(writer);
    }

    private static byte[] ended(HistogramWriter writer) {
        int length = writer.end(Double.NaN, Double.NaN, Double.NaN);
        return Arrays.copyOf(writer.bytes(), length);
    }

    /** Returns whether no histogram with a number was added. */
    public boolean isEmpty() {
        return scale == UNSCALED && counts.length == 0;
    }

    /**
     * Adds the numbers of all buckets to a sketch of numbers, as the middles of their buckets.
     *
     * @param numbers takes the numbers
     */
    public void addTo(QuantileSketch numbers) {
        for (int i = 0; i < negative.length(); i++) {
            numbers.add(-middle(negative.first() + i), negative.count(i));
        }
        numbers.add(0, zeroCount);
        for (int i = 0; i < positive.length(); i++) {
            numbers.add(middle(positive.first() + i), positive.count(i));
        }
        for (int i = 0; i < counts.length && bounds.length > 0; i++) {
            numbers.add((lower(i) + upper(i)) / 2, counts[i]);
        }
    }

    /** Geometric middle of an exponential bucket; strict arithmetic gives equal results on every machine. */
    private double middle(int index) {
        return StrictMath.pow(2, StrictMath.scalb(index + 0.5, -scale));
    }

    /** Lower end of an explicit bucket; the first bucket begins at 0 if its bound is positive. */
    private double lower(int bucket) {
        return bucket == 0 ? Math.min(0, bounds[0]) : bounds[bucket - 1];
    }

    /** Upper end of an explicit bucket; the last bucket ends at its bound. */
    private double upper(int bucket) {
        return bounds[Math.min(bucket, bounds.length - 1)];
    }

    /**
     * Returns the number of rank {@code share x (numbers - 1)}, rounded down, counted from 0: the geometric middle of
     * its exponential bucket, with a relative error of at most {@code (b - 1) / (b + 1)} for bounds that grow by {@code
     * b}, or its place in an explicit bucket on a straight line. Only for histograms of one of the two kinds.
     *
     * @param share 0 to 1
     * @return NaN without a number, and for histograms without a common bound
     */
    public double quantile(double share) {
        return scale == UNSCALED ? explicitQuantile(share) : exponentialQuantile(share);
    }

    /** Returns whether histograms of both kinds were added. */
    public boolean isMixed() {
        return scale != UNSCALED && counts.length > 0;
    }

    private double exponentialQuantile(double share) {
        long total = BucketWindow.sum(zeroCount, BucketWindow.sum(total(positive), total(negative)));
        long rank = (long) (share * (total - 1));
        long passed = 0;
        for (int i = negative.length() - 1; i >= 0; i--) {
            passed = BucketWindow.sum(passed, negative.count(i));
            if (passed > rank) {
                return -middle(negative.first() + i);
            }
        }
        passed = BucketWindow.sum(passed, zeroCount);
        if (passed > rank) {
            return 0;
        }
        for (int i = 0; i < positive.length(); i++) {
            passed = BucketWindow.sum(passed, positive.count(i));
            if (passed > rank) {
                return middle(positive.first() + i);
            }
        }
        return Double.NaN;
    }

    private static long total(BucketWindow window) {
        long total = 0;
        for (int i = 0; i < window.length(); i++) {
            total = BucketWindow.sum(total, window.count(i));
        }
        return total;
    }

    private double explicitQuantile(double share) {
        if (bounds.length == 0) {
            return Double.NaN;
        }
        long total = 0;
        for (long count : counts) {
            total = BucketWindow.sum(total, count);
        }
        double rank = Math.floor(share * (total - 1));
        long passed = 0;
        for (int i = 0; i < counts.length; i++) {
            if (passed + counts[i] > rank) {
                return lower(i) + (upper(i) - lower(i)) * ((rank - passed + 0.5) / counts[i]);
            }
            passed += counts[i];
        }
        return Double.NaN;
    }
}
