package io.chimera.faults.sim.plane;

import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Time of the machine: runs planned work on one thread. */
final class RealTime implements LightTime, AutoCloseable {
    private final Clock clock = new SystemClock();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

    @Override
    public long nanoTime() {
        return clock.nanoTime();
    }

    @Override
    public long epochNs() {
        return clock.epochNs();
    }

    @Override
    public void at(long atNs, Runnable work) {
        if (!thread.isShutdown()) {
            ScheduledFuture<?> unused = thread.schedule(work, Math.max(0, atNs - nanoTime()), TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
