package io.chimera.common.channel.netty.http;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Pool of arrays for the HTTP request bodies of one listener. Both the used and the idle arrays are bounded; array
 * sizes double from step to step. Any thread.
 */
final class BodyPool {
    /** Smallest array, enough for a batch of a hundred lines. */
    private static final int BYTES_MIN = 16 << 10;

    /**
     * Divisor for the limit of idle arrays relative to the limit of used arrays, by default 32 MiB idle; the sum of
     * both is bounded by the limit of used arrays. A dozen concurrent bodies of 1 MiB therefore produce no garbage,
     * independent of the number of other bodies.
     */
    private static final int KEPT_PART = 2;

    private final int[] sizes;
    private final List<Deque<byte[]>> kept = new ArrayList<>();
    private final long bytesMax;
    private final long bytesKeptMax;
    private long bytesOut;
    private long bytesKept;

    /**
     * Creates an empty pool.
     *
     * @param bodyBytesMax size of the largest array
     * @param bytesMax limit of the used arrays, and of the sum of used and idle arrays
     */
    BodyPool(int bodyBytesMax, long bytesMax) {
        this.bytesMax = bytesMax;
        bytesKeptMax = bytesMax / KEPT_PART;
        List<Integer> steps = new ArrayList<>();
        for (long size = BYTES_MIN; size < bodyBytesMax; size *= 2) {
            steps.add((int) size);
        }
        steps.add(bodyBytesMax);
        sizes = steps.stream().mapToInt(Integer::intValue).toArray();
        for (int i = 0; i < sizes.length; i++) {
            kept.add(new ArrayDeque<>());
        }
    }

    /**
     * Exchanges an array for a larger one with the same content, or an empty array for a first one.
     *
     * @param old current array, smaller than the largest
     * @param length number of bytes to copy
     * @return null if too many bytes are in use; the caller then keeps the old array
     */
    byte[] grow(byte[] old, int length) {
        byte[] array = take(stepAbove(old.length), old.length);
        if (array != null) {
            System.arraycopy(old, 0, array, 0, length);
            give(old);
        }
        return array;
    }

    /**
     * Takes an array.
     *
     * @param length a length returned by {@link #lengthFor}
     * @return null if too many bytes are in use
     */
    byte[] take(int length) {
        return take(stepAbove(length - 1), 0);
    }

    private synchronized byte[] take(int step, int returned) {
        if (bytesOut + sizes[step] - returned > bytesMax) {
            return null;
        }
        bytesOut += sizes[step];
        byte[] array = kept.get(step).poll();
        if (array == null) {
            trim();
            return new byte[sizes[step]];
        }
        bytesKept -= array.length;
        return array;
    }

    /** Returns whether this number of bytes fits within the limit of used arrays. */
    synchronized boolean hasRoom(long added) {
        return bytesOut + added <= bytesMax;
    }

    /** Length of the smallest array with at least this number of bytes, from 1 to the maximum. */
    int lengthFor(int bytes) {
        return sizes[stepAbove(bytes - 1)];
    }

    /** Length of the array returned by {@link #grow} for an array of this length, which must be below the maximum. */
    int lengthAfter(int length) {
        return sizes[stepAbove(length)];
    }

    /** Returns an array to the pool; ignores an empty array. */
    synchronized void give(byte[] array) {
        if (array.length == 0) {
            return;
        }
        bytesOut -= array.length;
        bytesKept += array.length;
        kept.get(stepAbove(array.length - 1)).push(array);
        trim();
    }

    private void trim() {
        while (bytesKept > bytesKeptMax || (bytesKept > 0 && bytesOut + bytesKept > bytesMax)) {
            dropOfMost();
        }
    }

    /** Drops one array of the size with the most idle bytes, so unused sizes make room for currently used sizes. */
    private void dropOfMost() {
        int most = 0;
        for (int step = 1; step < sizes.length; step++) {
            if (bytesKept(step) >= bytesKept(most)) {
                most = step;
            }
        }
        kept.get(most).removeLast();
        bytesKept -= sizes[most];
    }

    private long bytesKept(int step) {
        return (long) kept.get(step).size() * sizes[step];
    }

    /** Bytes of the used arrays. */
    synchronized long bytesOut() {
        return bytesOut;
    }

    /** Bytes of the idle arrays. */
    synchronized long bytesKept() {
        return bytesKept;
    }

    private int stepAbove(int length) {
        int step = 0;
        while (sizes[step] <= length) {
            step++;
        }
        return step;
    }
}
