package io.chimera.bench.peers.counting;

import io.chimera.bench.peers.job.FieldTotal;
import java.util.List;

/**
 * What is kept of one field of one series: the rows of the newest windows, to be read back, and the total of those before.
 * Nothing is allocated for a row. One thread.
 */
final class FieldWindows {
    /** Names of the functions, in the order in which a window's values lie here. */
    static final List<String> FUNCTIONS = List.of("count", "sum", "min", "max", "mean", "variance");

    /** Place of the count among the functions; it is the one with integer values. */
    static final int COUNT = 0;

    /** Of the cycles in flight, three by default, each is a window; and one that is given to another node comes back late. */
    private static final int WINDOWS = 8;

    private static final int WIDTH = FUNCTIONS.size();
    private static final int ALL = (1 << WIDTH) - 1;

    private final long[] timesMs = new long[WINDOWS];
    private final byte[] written = new byte[WINDOWS];
    private final long[] bits = new long[WINDOWS * WIDTH];
    private final FieldTotal total = new FieldTotal();
    private int newest;
    private long addedUpToMs = Long.MIN_VALUE;

    /** Overwrites a value; false when its window is so old that it was added up. */
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

    /** Whether a value was written and is not added up yet. */
    boolean holds(long timeMs, int function) {
        int window = find(timeMs);
        return window >= 0 && (written[window] & 1 << function) != 0;
    }

    /** A value that is held. */
    long read(long timeMs, int function) {
        return bits[find(timeMs) * WIDTH + function];
    }

    /** Adds up all windows. Nothing can be written or read afterwards. */
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

    /** Takes the place of the oldest window, or a free one. */
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
            throw new IllegalStateException("Of the window of " + timesMs[window] + " there are not all rows.");
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
