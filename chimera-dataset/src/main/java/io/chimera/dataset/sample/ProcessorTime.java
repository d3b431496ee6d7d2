package io.chimera.dataset.sample;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Processor time of threads. Any thread. */
@FunctionalInterface
interface ProcessorTime {
    /** Returns the processor time of the calling thread in nanoseconds since an arbitrary origin; 0 when not known. */
    long ofThisThreadNs();

    /** Returns the time that the operating system counts. */
    static ProcessorTime ofSystem() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isCurrentThreadCpuTimeSupported() ? threads::getCurrentThreadCpuTime : () -> 0;
    }
}
