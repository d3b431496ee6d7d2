package io.chimera.bench.peers.counting;

import io.chimera.bench.peers.job.FieldTotal;
import java.util.List;

/**
 * State of one field of one series: the rows of the newest windows for reading back, and the total of all earlier
 * windows. Allocates nothing per row. One thread.
 */
final class FieldWindows {
    /** Names of the functions, in the order of a window's values. */
    static final List<String> FUNCTIONS = List.of("count", "sum", "min", "max", "mean", "variance");

    /** Index of the count, the only function with integer values. */
    static final int COUNT = 0;

    /** Number of windows: each cycle in flight, three by default, is a window, and a reassigned cycle arrives late. */
    private static final int WINDOWS = 8;

    private static final int WIDTH = FUNCTIONS.size();
    private static final int ALL = (1 << WIDTH) - 1;

    private final long[] timesMs = new long[WINDOWS];
    private final byte[] written = new byte[WINDOWS];
    private final long[] bits = new long[WINDOWS * WIDTH];
    private final FieldTotal total = new FieldTotal();
    private int newest;
    private long addedUpToMs = Long.MIN_VALUE;

    /** Overwrites a value; returns false when its window is already part of the total. */
    boolean write(long timeMs, int function, long value) {
        int window = find(timeMs);
        if (window < 0) {
            if (timeMs <= addedUpToMs) {
                return false;
            }
            window = begin(timeMs);
        }
        bits[window * WIDTH + function] = value;
        written[window] |= (byte) (1 << function);
        return true;
    }

    /** Returns whether a value was written and is not yet part of the total. */
    boolean holds(long timeMs, int function) {
        int window = find(timeMs);
        return window >= 0 && (written[window] & 1 << function) != 0;
    }

    /** Returns a stored value. */
    long read(long timeMs, int function) {
        return bits[find(timeMs) * WIDTH + function];
    }

    /** Adds all windows to the total. No value can be written or read afterwards. */
    FieldTotal close() {
        for (int window = 0; window < WINDOWS; window++) {
            addUp(window);
        }
        addedUpToMs = Long.MAX_VALUE;
        return total;
    }

    private int find(long timeMs) {
        if (timesMs[newest] == timeMs && written[newest] != 0) {
            return newest;
        }
        for (int window = 0; window < WINDOWS; window++) {
            if (timesMs[window] == timeMs && written[window] != 0) {
                return window;
            }
        }
        return -1;
    }

    /** Begins a window in a free slot, or in the slot of the oldest window. */
    private int begin(long timeMs) {
        int oldest = 0;
        for (int window = 0; window < WINDOWS && written[oldest] != 0; window++) {
            if (written[window] == 0 || timesMs[window] < timesMs[oldest]) {
                oldest = window;
            }
        }
        addUp(oldest);
        timesMs[oldest] = timeMs;
        newest = oldest;
        return oldest;
    }

    private void addUp(int window) {
        if (written[window] == 0) {
            return;
        }
        if (written[window] != ALL) {
            throw new IllegalStateException("The window of " + timesMs[window] + " lacks rows.");
        }
        int first = window * WIDTH;
        total.add(
                bits[first],
                Double.longBitsToDouble(bits[first + 1]),
                Double.longBitsToDouble(bits[first + 2]),
                Double.longBitsToDouble(bits[first + 3]),
                Double.longBitsToDouble(bits[first + 4]),
                Double.longBitsToDouble(bits[first + 5]));
        addedUpToMs = Math.max(addedUpToMs, timesMs[window]);
        written[window] = 0;
    }
}
