package io.chimera.bench.peers;

import io.chimera.bench.cluster.ProcessUsage;
import java.util.List;
import java.util.function.Supplier;

/** Samples the memory of processes ten times per second on a separate thread, and keeps the maximum sum. */
final class MemorySampler implements AutoCloseable {
    private static final long PERIOD_MS = 100;

    private final Supplier<List<Long>> pids;
    private final Thread thread = new Thread(this::watch, "memory-watch");
    private volatile long bytesMax;

    MemorySampler(Supplier<List<Long>> pids) {
        this.pids = pids;
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        try {
            while (true) {
                bytesMax = Math.max(bytesMax, ProcessUsage.residentBytes(pids.get()));
                Thread.sleep(PERIOD_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // asked to end
        }
    }

    /** Returns the maximum bytes of the processes. */
    long bytesMax() {
        return bytesMax;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
