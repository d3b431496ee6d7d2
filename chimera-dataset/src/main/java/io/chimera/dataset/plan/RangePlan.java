package io.chimera.dataset.plan;

/**
 * Ranges to keep under way from a source to a single receiver, for a round trip that costs no rate.
 *
 * <p>A connection waits a round trip for each range, and then receives the range. Little's law for a rate of
 * {@code rate} bytes/s over {@code m} connections that receive at the same time:
 *
 * <pre>
 * bytes under way = rate * roundTrip + m * rangeBytes      (on the way + being received)
 * ranges          = m + rate * roundTrip / rangeBytes, rounded up
 * </pre>
 *
 * <p>The range is the power of two from 1 MiB to 8 MiB with at most 8 ranges on the way, if possible; less when the
 * memory has no room for {@code m} such ranges. With too little memory {@code n} ranges reach
 * {@code n * rangeBytes / (roundTrip + m * rangeBytes / rate)}; below {@code m} ranges, {@code m} is {@code n} and the
 * rate is the sampled rate of {@code n} connections.
 *
 * <p>Example: 125 MB/s, 84 ms, m = 4: 10.5 MB are on the way, ranges of 2 MiB, 4 + 6 = 10 ranges, 21 MB of memory.
 *
 * @param place address of the source
 * @param ranges number of ranges under way; each needs a connection or a stream of a connection
 * @param rangeBytes length of a range
 * @param wishedBytesPerSecond rate of the source for the receiver, with enough ranges
 * @param bytesPerSecond rate with the ranges; less than wished when memory is short
 */
public record RangePlan(String place, int ranges, long rangeBytes, double wishedBytesPerSecond, double bytesPerSecond) {
    private static final long RANGE_BYTES_MIN = 1L << 20;
    private static final long RANGE_BYTES_MAX = 8L << 20;

    /** Shortest range in a small memory: 64 KiB and a request of 1 KiB. */
    private static final long SMALL_RANGE_BYTES = 64L << 10;

    private static final int RANGES_ON_THE_WAY = 8;
    private static final int RANGES_MAX = 64;

    /**
     * Plans the ranges.
     *
     * @param sample the source
     * @param rate wished rate of the receiver from the source, in bytes per second
     * @param memoryBytes memory for the ranges
     * @param splitBytes length of a split; no range is longer
     */
    static RangePlan plan(SourceSample sample, double rate, long memoryBytes, long splitBytes) {
        double roundTrip = sample.roundTrip().toNanos() / 1e9;
        int receiving = sample.connectionsFor(rate);
        double onTheWay = rate * roundTrip;
        long length = RANGE_BYTES_MIN;
        while (length < RANGE_BYTES_MAX && length * RANGES_ON_THE_WAY < onTheWay) {
            length *= 2;
        }
        long room = Math.max(SMALL_RANGE_BYTES, memoryBytes / receiving);
        length = Math.max(1, Math.min(Math.min(length, room), Math.min(memoryBytes, splitBytes)));
        long needed = receiving + (long) Math.ceil(onTheWay / length);
        int ranges = (int) Math.max(1, Math.min(needed, Math.min(RANGES_MAX, memoryBytes / length)));
        if (ranges >= needed) {
            return new RangePlan(sample.place(), ranges, length, rate, rate);
        }
        double underWay = (double) ranges * length;
        double reachable = ranges < receiving
                ? underWay / (roundTrip + underWay / sample.rateOf(ranges))
                : underWay / (roundTrip + receiving * (double) length / rate);
        return new RangePlan(sample.place(), ranges, length, rate, Math.min(rate, reachable));
    }
}
