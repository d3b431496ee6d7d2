package io.chimera.bench.peers.job;

/**
 * Aggregates of one field of one key over all windows. Windows are merged by their own aggregates, so a wrong mean or
 * variance of a window shows in the total. One thread.
 */
public final class FieldTotal {
    private long count;
    private double sum;
    private double least = Double.POSITIVE_INFINITY;
    private double greatest = Double.NEGATIVE_INFINITY;
    private double mean;
    private double squaredDeviations;

    /** A total of nothing. */
    public FieldTotal() {}

    /** Takes in the six aggregates of a window. */
    public void add(
            long windowCount,
            double windowSum,
            double windowLeast,
            double windowGreatest,
            double windowMean,
            double windowVariance) {
        if (windowCount == 0) {
            return;
        }
        long all = count + windowCount;
        double apart = windowMean - mean;
        squaredDeviations += windowVariance * windowCount + apart * apart * count * windowCount / all;
        mean += apart * windowCount / all;
        count = all;
        sum += windowSum;
        least = Math.min(least, windowLeast);
        greatest = Math.max(greatest, windowGreatest);
    }

    /** Takes in another total. */
    public void add(FieldTotal other) {
        add(other.count, other.sum, other.least, other.greatest, other.mean, other.variance());
    }

    /** Number of values. */
    public long count() {
        return count;
    }

    /** Sum of the values. */
    public double sum() {
        return sum;
    }

    /** Least value. */
    public double least() {
        return least;
    }

    /** Greatest value. */
    public double greatest() {
        return greatest;
    }

    /** Mean of the values. */
    public double mean() {
        return mean;
    }

    /** Variance of the population. */
    public double variance() {
        return count == 0 ? 0 : squaredDeviations / count;
    }

    @Override
    public String toString() {
        return count + " " + sum + " " + least + " " + greatest + " " + mean + " " + variance();
    }
}
