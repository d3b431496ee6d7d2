package io.chimera.bench.scale;

/**
 * What a cluster took for the points of a pass.
 *
 * @param points of the pass
 * @param cpuSeconds processor time of all its processes
 * @param wallSeconds from the first point to the moment all were stored
 */
public record Cost(long points, double cpuSeconds, double wallSeconds) {
    private static final double NS_PER_S = 1e9;

    /** Points per second of processor time. */
    public double pointsPerCpuSecond() {
        return points / cpuSeconds;
    }

    /** Points per second. */
    double pointsPerSecond() {
        return points / wallSeconds;
    }

    /** Nanoseconds of processor time per point. */
    double nsPerPoint() {
        return cpuSeconds * NS_PER_S / points;
    }
}
