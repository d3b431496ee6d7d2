package io.chimera.bench.peers.job;

/**
 * Aggregates of one field of one key over all windows. Merges the aggregates of windows, so that a wrong mean or
 * variance of a window affects the total. One thread.
 */
public final class FieldTotal {
    private long count;
    private double sum;
    private double least = Double.POSITIVE_INFINITY;
    private double greatest = Double.NEGATIVE_INFINITY;
    private double mean;
    private double squaredDeviations;

    /** Creates an empty total. */
    public FieldTotal() {}

    /** Adds the six aggregates of a window. */
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

    /** Adds another total. */
    public void add(FieldTotal other) {
        add(other.count, other.sum, other.least, other.greatest, other.mean, other.variance());
    }

    /** Returns the number of values. */
    public long count() {
        return count;
    }

    /** Returns the sum of the values. */
    public double sum() {
        return sum;
    }

    /** Returns the minimum. */
    public double least() {
        return least;
    }

    /** Returns the maximum. */
    public double greatest() {
        return greatest;
    }

    /** Returns the mean of the values. */
    public double mean() {
        return mean;
    }

    /** Returns the population variance. */
    public double variance() {
        return count == 0 ? 0 : squaredDeviations / count;
    }

    @Override
    public String toString() {
        return count + " " + sum + " " + least + " " + greatest + " " + mean + " " + variance();
    }
}
