package io.chimera.bench.scale.quota;

/**
 * Observation of a cluster under full load. Rates and times count from one commit to another.
 *
 * @param processors number of processors
 * @param seconds duration
 * @param points points stored
 * @param processorCpuSeconds processor time of all processors
 * @param queueCpuSeconds processor time of the queue node
 * @param quotaSeconds processor time that the limits of all processors permit
 * @param throttledSeconds time during which processors had work and no quota, summed over processors and cores
 * @param busy share of all cores of the machine in use, 0 to 1
 * @param skew points of the heaviest shard of a cycle divided by points of its mean shard; mean of the cycles
 */
record Window(
        int processors,
        double seconds,
        long points,
        double processorCpuSeconds,
        double queueCpuSeconds,
        double quotaSeconds,
        double throttledSeconds,
        double busy,
        double skew) {
    private static final double NS_PER_S = 1e9;

    double pointsPerSecond() {
        return points / seconds;
    }

    double pointsPerSecondAndNode() {
        return pointsPerSecond() / processors;
    }

    /** Returns the processor time of the processors per point, in ns. */
    double processorNs() {
        return processorCpuSeconds * NS_PER_S / points;
    }

    /** Returns the processor time of the queue node per point, in ns. */
    double queueNs() {
        return queueCpuSeconds * NS_PER_S / points;
    }

    /** Returns the used share of the permitted processor time. */
    double quotaUsed() {
        return processorCpuSeconds / quotaSeconds;
    }

    /** Returns the share of one core that the queue node used. */
    double queueShare() {
        return queueCpuSeconds / seconds;
    }

    /** Returns the throttled time of a processor per second, in ms. */
    double throttledMsPerSecond() {
        return throttledSeconds * 1_000 / seconds / processors;
    }
}
