package io.chimera.bench.scale;

/**
 * Cost of a cluster for the points of a pass.
 *
 * @param points points of the pass
 * @param cpuSeconds processor time of all its processes
 * @param wallSeconds time from the first point until all points are stored
 */
public record ClusterCost(long points, double cpuSeconds, double wallSeconds) {
    private static final double NS_PER_S = 1e9;

    /** Returns points per second of processor time. */
    public double pointsPerCpuSecond() {
        return points / cpuSeconds;
    }

    /** Returns points per second. */
    double pointsPerSecond() {
        return points / wallSeconds;
    }

    /** Returns nanoseconds of processor time per point. */
    double nsPerPoint() {
        return cpuSeconds * NS_PER_S / points;
    }
}
