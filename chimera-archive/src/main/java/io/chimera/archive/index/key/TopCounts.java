package io.chimera.archive.index.key;

import io.chimera.api.HotPath;
import java.util.Arrays;

/**
 * Counts the values of an interval: a limited number of distinct values exactly, all further values in one sum, an
 * upper bound for each of them. Writer's thread.
 */
final class TopCounts {
    private static final int VALUES_MAX = 1 << 10;
    private static final int MASK = 2 * VALUES_MAX - 1;
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private final int top;
    private final short[] table = new short[MASK + 1]; // position in values plus 1; 0 is free
    private final long[] values = new long[VALUES_MAX];
    private final long[] counts = new long[VALUES_MAX];
    private int size;
    private long others;

    /** Creates the counter for a number of most frequent values. */
    TopCounts(int top) {
        this.top = top;
    }

    @HotPath
    void add(long value) {
        int at = (int) ((value * SPREAD) >>> 40) & MASK;
        while (table[at] != 0) {
            int position = table[at] - 1;
            if (values[position] == value) {
                counts[position]++;
                return;
            }
            at = (at + 1) & MASK;
        }
        if (size == VALUES_MAX) {
            others++;
            return;
        }
        values[size] = value;
        counts[size] = 1;
        table[at] = (short) ++size;
    }

    /** Returns the most frequent values of the interval and starts the next. */
    TopValues end() {
        int kept = Math.min(top, size);
        for (int i = 0; i < kept; i++) {
            swap(i, greatest(i));
        }
        long rest = Math.max(others, kept < size ? counts[greatest(kept)] : 0);
        TopValues result = new TopValues(Arrays.copyOf(values, kept), Arrays.copyOf(counts, kept), rest);
        Arrays.fill(table, (short) 0);
        size = 0;
        others = 0;
        return result;
    }

    private int greatest(int from) {
        int greatest = from;
        for (int i = from + 1; i < size; i++) {
            if (counts[i] > counts[greatest]) {
                greatest = i;
            }
        }
        return greatest;
    }

    private void swap(int a, int b) {
        long value = values[a];
        long count = counts[a];
        values[a] = values[b];
        counts[a] = counts[b];
        values[b] = value;
        counts[b] = count;
    }
}
