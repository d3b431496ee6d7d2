package io.chimera.archive.index.key;

/**
 * Most frequent values of an interval, in descending order.
 *
 * @param values the values
 * @param counts exact count of each value
 * @param rest maximum count of any other value
 */
@SuppressWarnings("ArrayRecordComponent") // one per interval and key; never compared
public record TopValues(long[] values, long[] counts, long rest) {
    /** No information. */
    public static final TopValues NONE = new TopValues(new long[0], new long[0], Long.MAX_VALUE);

    /** Returns the maximum count of a value. */
    long atMost(long value) {
        for (int i = 0; i < values.length; i++) {
            if (values[i] == value) {
                return counts[i];
            }
        }
        return rest;
    }
}
