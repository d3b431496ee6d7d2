package io.chimera.bench.paper.disk;

import java.util.List;

/**
 * Behaviour of a queue node on a saturated disk.
 *
 * @param cyclePoints points of a cycle
 * @param limitBytesPerSecond limit of the disk
 * @param pointsPerSecond acknowledged points per second
 * @param cores processor time of the queue node per second, in cores
 * @param journalBytesPerSecond bytes appended to the journal per second
 * @param diskBytesPerSecond bytes written to the disk per second, with the data of the file system
 * @param refused answers 503
 * @param lost acknowledged points without a stored row
 * @param steps points per second in steps of equal length
 * @param refusedSteps answers 503 per second in the same steps
 * @param cycleSeconds time of each cycle
 * @param memory memory of node and machine
 */
public record Saturation(
        long cyclePoints,
        double limitBytesPerSecond,
        double pointsPerSecond,
        double cores,
        double journalBytesPerSecond,
        double diskBytesPerSecond,
        long refused,
        long lost,
        List<Double> steps,
        List<Double> refusedSteps,
        List<Double> cycleSeconds,
        MemoryPeak memory) {
    /** Returns the rate of the second half of the time, divided by the rate of the first half. */
    public double lateToEarly() {
        int half = steps.size() / 2;
        double early = steps.subList(0, half).stream().mapToDouble(rate -> rate).sum();
        double late = steps.subList(steps.size() - half, steps.size()).stream()
                .mapToDouble(rate -> rate)
                .sum();
        return late / early;
    }

    /** Returns the time of the slowest cycle divided by the median. */
    public double slowestToMedian() {
        List<Double> sorted = cycleSeconds.stream().sorted().toList();
        return sorted.isEmpty() ? 0 : sorted.get(sorted.size() - 1) / sorted.get(sorted.size() / 2);
    }
}
