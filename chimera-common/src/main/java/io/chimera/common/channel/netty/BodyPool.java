package io.chimera.common.channel.netty;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The arrays that hold the bodies of HTTP requests of one listener: bounded in what is out and in what lies idle,
 * reused in steps of doubled size. Any thread.
 */
final class BodyPool {
    /** The smallest array: a batch of a hundred lines fits. */
    private static final int BYTES_MIN = 16 << 10;

    /**
     * What lies idle is no more than this part of what may be out, 32 MiB by default; and both together are no more
     * than may be out. So bodies of 1 MiB that come and go by the dozen are no garbage, however many more are out
     * meanwhile.
     */
    private static final int KEPT_PART = 2;

    private final int[] sizes;
    private final List<Deque<byte[]>> kept = new ArrayList<>();
    private final long bytesMax;
    private final long bytesKeptMax;
    private long bytesOut;
    private long bytesKept;

    /**
     * A pool with nothing out.
     *
     * @param bodyBytesMax size of the largest array
     * @param bytesMax sum of what may be out, and of that with what lies idle
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
     * A larger array in exchange for one whose content is copied; the first for an empty one.
     *
     * @param old the present array, shorter than the largest
     * @param length number of bytes to copy
     * @return null when too much is out; the old array is still the caller's then
     */
    byte[] grow(byte[] old, int length) {
        byte[] array;
        synchronized (this) {
            int step = stepAbove(old.length);
            if (bytesOut + sizes[step] - old.length > bytesMax) {
                return null;
            }
            bytesOut += sizes[step];
            array = kept.get(step).poll();
            if (array == null) {
                trim();
                array = new byte[sizes[step]];
            } else {
                bytesKept -= array.length;
            }
        }
        System.arraycopy(old, 0, array, 0, length);
        give(old);
        return array;
    }

    /** Whether more bytes may be out. */
    synchronized boolean hasRoom(long added) {
        return bytesOut + added <= bytesMax;
    }

    /** Length of the array that {@link #grow} gives in exchange for one of a length below the largest. */
    int lengthAfter(int length) {
        return sizes[stepAbove(length)];
    }

    /** Takes an array back; an empty one is none of the pool's. */
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

    /** Drops an array of the size that most bytes are of, so that sizes out of use make room for those that come now. */
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

    /** Bytes of the arrays that are out. */
    synchronized long bytesOut() {
        return bytesOut;
    }

    /** Bytes of the arrays that lie idle. */
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
