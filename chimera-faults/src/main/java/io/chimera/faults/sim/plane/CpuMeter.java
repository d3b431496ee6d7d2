package io.chimera.faults.sim.plane;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Counts CPU time of this thread while it runs the code of one process, without the code of the model. */
final class CpuMeter {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private long totalNs;
    private long sinceNs;
    private boolean isRunning;

    void begin() {
        isRunning = true;
        sinceNs = THREADS.getCurrentThreadCpuTime();
    }

    void end() {
        totalNs += THREADS.getCurrentThreadCpuTime() - sinceNs;
        isRunning = false;
    }

    /** Pauses while the model works on behalf of the process. */
    void pause() {
        if (isRunning) {
            totalNs += THREADS.getCurrentThreadCpuTime() - sinceNs;
        }
    }

    void proceed() {
        if (isRunning) {
            sinceNs = THREADS.getCurrentThreadCpuTime();
        }
    }

    long totalNs() {
        return totalNs;
    }
}
