package io.chimera.common.wire;

import io.chimera.api.HotPath;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What is kept of one field of one group: 64 bytes, one cache line. In the machine's byte order; where it leaves
 * the process {@link PartialFlyweight} turns it.
 *
 * <pre>
 *   0       8         16    24    32    40             48     56
 *   +-------+---------+-----+-----+-----+--------------+------+----+
 *   | count | numbers | min | max | sum | compensation | mean | M2 |
 *   +-------+---------+-----+-----+-----+--------------+------+----+
 * </pre>
 *
 * The sum is Neumaier's compensated one; mean and M2, the sum of the squared distances from the mean, are Welford's, merged
 * by Chan, Golub and LeVeque's formula. So all stay accurate however many values there are and however far from zero.
 */
public final class AggregateBlock {
    /** Bytes of a block. */
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

    /** Makes a block that has seen nothing. */
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

    /** Takes a value that is no number. */
    @HotPath
    public static void foldText(MutableDirectBuffer buffer, int offset) {
        buffer.putLong(offset + COUNT, buffer.getLong(offset + COUNT) + 1);
    }

    /** Takes a finite number. Its place is checked once, for a check of each of the fourteen accesses takes longer than they do. */
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

    /** What {@code next} lacks of the sum of two numbers (Neumaier). */
    private static double lost(double sum, double value, double next) {
        return Math.abs(sum) >= Math.abs(value) ? (sum - next) + value : (value - next) + sum;
    }

    private static void add(MutableDirectBuffer buffer, int offset, double value) {
        double sum = buffer.getDouble(offset + SUM);
        double next = sum + value;
        buffer.putDouble(offset + SUM, next);
        buffer.putDouble(offset + COMPENSATION, buffer.getDouble(offset + COMPENSATION) + lost(sum, value, next));
    }

    /** Takes all that another block has seen. */
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
                left == 0 // the square of a great distance is infinite, and 0 times infinity no number
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

    /** How many values it has seen. */
    public static long count(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + COUNT);
    }

    /** How many of them are numbers. */
    public static long numbers(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + NUMBERS);
    }

    /** Least number. */
    public static double min(DirectBuffer buffer, int offset) {
        return buffer.getDouble(offset + MIN);
    }

    /** Greatest number. */
    public static double max(DirectBuffer buffer, int offset) {
        return buffer.getDouble(offset + MAX);
    }

    /** Sum of the numbers. */
    public static double sum(DirectBuffer buffer, int offset) {
        return buffer.getDouble(offset + SUM) + buffer.getDouble(offset + COMPENSATION);
    }

    /** Mean of the numbers. */
    public static double mean(DirectBuffer buffer, int offset) {
        return buffer.getDouble(offset + MEAN);
    }

    /** Population variance: M2 / numbers. */
    public static double variance(DirectBuffer buffer, int offset) {
        return buffer.getDouble(offset + M2) / numbers(buffer, offset);
    }
}
