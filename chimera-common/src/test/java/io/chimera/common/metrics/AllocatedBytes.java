package io.chimera.common.metrics;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Measures what code allocates on the heap, for the allocation test of each stage. */
public final class AllocatedBytes {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int WARM_UP_ROUNDS = 2_000;
    private static final int ROUNDS = 200;
    private static final int TRIES = 10;

    private AllocatedBytes() {}

    /**
     * Runs a task until it is warm, then measures it on this thread. The JVM itself may allocate once while it compiles,
     * so the least of a few tries counts: what the task allocates is in all of them.
     *
     * @param task does the same at every call, some hundred points' worth of it
     * @return bytes that 200 calls allocated
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

    /** Bytes that threads have allocated since they began. */
    public static long ofThreads(long... ids) {
        long sum = 0;
        for (long bytes : THREADS.getThreadAllocatedBytes(ids)) {
            sum += bytes;
        }
        return sum;
    }
}
