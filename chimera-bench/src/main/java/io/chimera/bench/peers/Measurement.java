package io.chimera.bench.peers;

/**
 * What an engine took for one pass, the median of those that count.
 *
 * @param engine its name
 * @param points of the pass
 * @param cpuSeconds processor time of all its processes
 * @param feederCpuSeconds processor time of the client that sends the points; 0 when there is none
 * @param wallSeconds time from the first point to the last result
 * @param residentBytes main memory of all its processes at their peak, without the input
 */
public record Measurement(
        String engine,
        long points,
        double cpuSeconds,
        double feederCpuSeconds,
        double wallSeconds,
        long residentBytes) {
    /** Points per second of processor time. */
    public double rate() {
        return points / cpuSeconds;
    }

    /** The same with the client's time. */
    public double rateWithFeeder() {
        return points / (cpuSeconds + feederCpuSeconds);
    }
}
