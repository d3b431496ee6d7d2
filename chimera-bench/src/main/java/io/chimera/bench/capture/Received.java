package io.chimera.bench.capture;

/**
 * What a receiver saw of the packets that were sent to it.
 *
 * @param packets that it got
 * @param dropped that the kernel had to drop for it
 * @param cpuSeconds processor time of its process meanwhile
 */
record Received(long packets, long dropped, double cpuSeconds) {
    /** Whether it got all. */
    boolean isAll(long sent) {
        return dropped == 0 && packets >= sent;
    }
}
