package io.chimera.bench.peers;

/**
 * Cost of one pass of an engine, the median of the counted passes.
 *
 * @param engine name of the engine
 * @param points points of the pass
 * @param cpuSeconds processor time of all its processes
 * @param feederCpuSeconds processor time of the client that sends the points; 0 without a client
 * @param wallSeconds time from the first point to the last result
 * @param residentBytes peak main memory of all its processes, without the input
 */
public record EngineMeasurement(
        String engine,
        long points,
        double cpuSeconds,
        double feederCpuSeconds,
        double wallSeconds,
        long residentBytes) {
    /** Returns points per second of processor time. */
    public double rate() {
        return points / cpuSeconds;
    }

    /** Returns points per second of processor time including the client. */
    public double rateWithFeeder() {
        return points / (cpuSeconds + feederCpuSeconds);
    }
}
