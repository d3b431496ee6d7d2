package io.chimera.bench.scale.quota;

/**
 * Observation of a cluster under full load. Rates and times count from one commit to another.
 *
 * @param parts number of limited parts: nodes, or lanes of one node
 * @param seconds duration
 * @param points points stored
 * @param cycles cycles stored
 * @param limitedCpuSeconds processor time of the limited nodes
 * @param otherCpuSeconds processor time of the nodes of the other tier
 * @param quotaSeconds processor time that the limits of all parts permit
 * @param throttledSeconds time during which limited nodes had work and no quota, summed over nodes and cores
 * @param busy share of all cores of the machine in use, 0 to 1
 * @param skew points of the heaviest shard of a cycle divided by points of its mean shard; mean of the cycles
 */
record Window(
        int parts,
        double seconds,
        long points,
        long cycles,
        double limitedCpuSeconds,
        double otherCpuSeconds,
        double quotaSeconds,
        double throttledSeconds,
        double busy,
        double skew) {
    private static final double NS_PER_S = 1e9;

    double pointsPerSecond() {
        return points / seconds;
    }

    double pointsPerSecondAndPart() {
        return pointsPerSecond() / parts;
    }

    /** Returns the mean time from the end of one cycle to the end of the next; longer cycles have fewer rows per point. */
    double secondsPerCycle() {
        return seconds / cycles;
    }

    /** Returns the processor time of the limited nodes per point, in ns. */
    double limitedNs() {
        return limitedCpuSeconds * NS_PER_S / points;
    }

    /** Returns the processor time of the other tier per point, in ns. */
    double otherNs() {
        return otherCpuSeconds * NS_PER_S / points;
    }

    /** Returns the used share of the permitted processor time. */
    double quotaUsed() {
        return limitedCpuSeconds / quotaSeconds;
    }

    /** Returns the cores that the other tier used. */
    double otherCores() {
        return otherCpuSeconds / seconds;
    }

    /** Returns the throttled time per second and part, in ms. */
    double throttledMsPerSecond() {
        return throttledSeconds * 1_000 / seconds / parts;
    }
}
