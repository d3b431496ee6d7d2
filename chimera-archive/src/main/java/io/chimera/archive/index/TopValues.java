package io.chimera.archive.index;

/**
 * The most frequent values of an interval, most frequent first.
 *
 * @param values the values
 * @param counts how often each was given, exactly
 * @param rest no other value was given more often
 */
@SuppressWarnings("ArrayRecordComponent") // one per interval and key; compared nowhere
record TopValues(long[] values, long[] counts, long rest) {
    /** Nothing is known. */
    static final TopValues NONE = new TopValues(new long[0], new long[0], Long.MAX_VALUE);

    /** How often a value was given at most. */
    long atMost(long value) {
        for (int i = 0; i < values.length; i++) {
            if (values[i] == value) {
                return counts[i];
            }
        }
        return rest;
    }
}
