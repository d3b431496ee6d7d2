package io.chimera.bench.capture;

/**
 * Counters of a receiver.
 *
 * @param packets received packets
 * @param dropped packets dropped by the kernel
 * @param cpuSeconds processor time of the process during the run
 */
record Received(long packets, long dropped, double cpuSeconds) {
    /** Returns whether all packets were received. */
    boolean isAll(long sent) {
        return dropped == 0 && packets >= sent;
    }
}
