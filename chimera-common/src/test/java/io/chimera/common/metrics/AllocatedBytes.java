package io.chimera.common.metrics;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Measures the heap allocation of code, for the allocation test of each stage. */
public final class AllocatedBytes {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int WARM_UP_ROUNDS = 2_000;
    private static final int ROUNDS = 200;
    private static final int TRIES = 10;

    private AllocatedBytes() {}

    /**
     * Warms up a task, then measures the allocation on this thread. The JVM itself may allocate during compilation; the
     * minimum of a few attempts excludes such allocations.
     *
     * @param task performs identical work in every call, equivalent to some hundred points
     * @return bytes allocated by 200 calls
     */
    public static long of(Runnable task) {
        for (int i = 0; i < WARM_UP_ROUNDS; i++) {
            task.run();
        }
        long least = Long.MAX_VALUE;
        for (int i = 0; i < TRIES && least > 0; i++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int k = 0; k < ROUNDS; k++) {
                task.run();
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    /** Total bytes allocated by threads since the start. */
    public static long ofThreads(long... ids) {
        long sum = 0;
        for (long bytes : THREADS.getThreadAllocatedBytes(ids)) {
            sum += bytes;
        }
        return sum;
    }
}
