package io.chimera.common.wire;

import io.chimera.api.HotPath;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Layout of the aggregates of one field of one group: 64 bytes, one cache line, in the machine's byte order. {@link
 * PartialFlyweight} converts a block to little-endian before a frame leaves the process.
 *
 * <pre>
 *   0       8         16    24    32    40             48     56
 *   +-------+---------+-----+-----+-----+--------------+------+----+
 *   | count | numbers | min | max | sum | compensation | mean | M2 |
 *   +-------+---------+-----+-----+-----+--------------+------+----+
 * </pre>
 *
 * <p>The sum uses Neumaier's compensated summation. Mean and M2 (the sum of squared distances from the mean) use
 * Welford's algorithm, and merges use the formula of Chan, Golub and LeVeque. All aggregates therefore stay accurate
 * for any number of values and at any distance from zero.
 */
public final class AggregateBlock {
    /** Length of a block in bytes. */
    public static final int LENGTH = 64;

    private static final int COUNT = 0;
    private static final int NUMBERS = 8;
    private static final int MIN = 16;
    private static final int MAX = 24;
    private static final int SUM = 32;
    private static final int COMPENSATION = 40;
    private static final int MEAN = 48;
    private static final int M2 = 56;

    private AggregateBlock() {}

    /** Initializes an empty block. */
    public static void clear(MutableDirectBuffer buffer, int offset) {
        buffer.putLong(offset + COUNT, 0);
        buffer.putLong(offset + NUMBERS, 0);
        buffer.putDouble(offset + MIN, Double.POSITIVE_INFINITY);
        buffer.putDouble(offset + MAX, Double.NEGATIVE_INFINITY);
        buffer.putDouble(offset + SUM, 0);
        buffer.putDouble(offset + COMPENSATION, 0);
        buffer.putDouble(offset + MEAN, 0);
        buffer.putDouble(offset + M2, 0);
    }

    /** Counts a text value. */
    @HotPath
    public static void foldText(MutableDirectBuffer buffer, int offset) {
        buffer.putLong(offset + COUNT, buffer.getLong(offset + COUNT) + 1);
    }

    /**
     * Adds a finite number. Checks the bounds of the block once, because checking each of the fourteen accesses costs
     * more than the accesses.
     */
    @HotPath
    public static void fold(UnsafeBuffer buffer, int offset, double value) {
        buffer.boundsCheck(offset, LENGTH);
        byte[] base = buffer.byteArray();
        long at = buffer.addressOffset() + offset;
        long numbers = UnsafeApi.getLong(base, at + NUMBERS) + 1;
        UnsafeApi.putLong(base, at + COUNT, UnsafeApi.getLong(base, at + COUNT) + 1);
        UnsafeApi.putLong(base, at + NUMBERS, numbers);
        if (value < UnsafeApi.getDouble(base, at + MIN)) {
            UnsafeApi.putDouble(base, at + MIN, value);
        }
        if (value > UnsafeApi.getDouble(base, at + MAX)) {
            UnsafeApi.putDouble(base, at + MAX, value);
        }
        double sum = UnsafeApi.getDouble(base, at + SUM);
        double next = sum + value;
        UnsafeApi.putDouble(base, at + SUM, next);
        UnsafeApi.putDouble(
                base, at + COMPENSATION, UnsafeApi.getDouble(base, at + COMPENSATION) + lost(sum, value, next));
        double mean = UnsafeApi.getDouble(base, at + MEAN);
        double distance = value - mean;
        mean += distance / numbers;
        UnsafeApi.putDouble(base, at + MEAN, mean);
        UnsafeApi.putDouble(base, at + M2, UnsafeApi.getDouble(base, at + M2) + distance * (value - mean));
    }

    /**
     * Adds the numbers of a histogram. Their variance is unknown from then on, and so is a value that the histogram
     * does not have: NaN.
     */
    @HotPath
    public static void fold(MutableDirectBuffer buffer, int offset, HistogramFlyweight histogram) {
        long count = histogram.count();
        if (count == 0) {
            return;
        }
        long numbers = numbers(buffer, offset) + count;
        double mean = mean(buffer, offset);
        buffer.putLong(offset + COUNT, count(buffer, offset) + count);
        buffer.putLong(offset + NUMBERS, numbers);
        buffer.putDouble(offset + MIN, Math.min(min(buffer, offset), histogram.min()));
        buffer.putDouble(offset + MAX, Math.max(max(buffer, offset), histogram.max()));
        add(buffer, offset, histogram.sum());
        buffer.putDouble(offset + MEAN, mean + (histogram.sum() / (double) count - mean) * ((double) count / numbers));
        buffer.putDouble(offset + M2, Double.NaN);
    }

    /** Returns the rounding error of {@code next} = {@code sum} + {@code value} (Neumaier). */
    private static double lost(double sum, double value, double next) {
        return Math.abs(sum) >= Math.abs(value) ? (sum - next) + value : (value - next) + sum;
    }

    private static void add(MutableDirectBuffer buffer, int offset, double value) {
        double sum = buffer.getDouble(offset + SUM);
        double next = sum + value;
        buffer.putDouble(offset + SUM, next);
        buffer.putDouble(offset + COMPENSATION, buffer.getDouble(offset + COMPENSATION) + lost(sum, value, next));
    }

    /** Merges another block into a block. */
    public static void merge(MutableDirectBuffer into, int offset, DirectBuffer from, int source) {
        long left = numbers(into, offset);
        long right = numbers(from, source);
        into.putLong(offset + COUNT, count(into, offset) + count(from, source));
        if (right == 0) {
            return;
        }
        double all = (double) left + right;
        double distance = mean(from, source) - mean(into, offset);
        into.putDouble(
                offset + M2,
                left == 0 // avoids 0 * infinity = NaN when the square of a large distance overflows
                        ? from.getDouble(source + M2)
                        : into.getDouble(offset + M2)
                                + from.getDouble(source + M2)
                                + distance * distance * left * (right / all));
        into.putDouble(offset + MEAN, left == 0 ? mean(from, source) : mean(into, offset) + distance * (right / all));
        into.putDouble(offset + MIN, Math.min(min(into, offset), min(from, source)));
        into.putDouble(offset + MAX, Math.max(max(into, offset), max(from, source)));
        into.putDouble(
                offset + COMPENSATION, into.getDouble(offset + COMPENSATION) + from.getDouble(source + COMPENSATION));
        add(into, offset, from.getDouble(source + SUM));
        into.putLong(offset + NUMBERS, left + right);
    }

    /** Number of values, text included. */
    public static long count(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + COUNT);
    }

    /** Number of numeric values. */
    public static long numbers(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + NUMBERS);
    }

    /** Minimum of the numeric values. */
    public static double min(DirectBuffer buffer, int offset) {
        return buffer.getDouble(offset + MIN);
    }

    /** Maximum of the numeric values. */
    public static double max(DirectBuffer buffer, int offset) {
        return buffer.getDouble(offset + MAX);
    }

    /** Sum of the numeric values. */
    public static double sum(DirectBuffer buffer, int offset) {
        return buffer.getDouble(offset + SUM) + buffer.getDouble(offset + COMPENSATION);
    }

    /** Mean of the numeric values. */
    public static double mean(DirectBuffer buffer, int offset) {
        return buffer.getDouble(offset + MEAN);
    }

    /** Population variance: M2 / numbers. */
    public static double variance(DirectBuffer buffer, int offset) {
        return buffer.getDouble(offset + M2) / numbers(buffer, offset);
    }
}
