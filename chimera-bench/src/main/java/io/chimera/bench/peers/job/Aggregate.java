package io.chimera.bench.peers.job;

import java.util.Arrays;

/**
 * Aggregates of the fields of one key in one window: count, sum, sum of squares, minimum and maximum. All points of a
 * key have the same fields here. A plain object with public fields, supported by every engine's serializer.
 */
public final class Aggregate {
    /** Names of the fields. */
    public String[] fields;

    /** Number of points. */
    public long count;

    /** Sum per field. */
    public double[] sums;

    /** Sum of squares per field. */
    public double[] squares;

    /** Minimum per field. */
    public double[] least;

    /** Maximum per field. */
    public double[] greatest;

    /** Creates an empty aggregate. */
    public Aggregate() {}

    /** Adds a point. */
    public void add(Point point) {
        double[] values = point.values;
        if (count == 0) {
            begin(point.fields);
        }
        if (values.length != sums.length) {
            throw new IllegalArgumentException("A point of " + point.key + " has other fields than earlier points.");
        }
        count++;
        for (int i = 0; i < values.length; i++) {
            double value = values[i];
            sums[i] += value;
            squares[i] += value * value;
            least[i] = Math.min(least[i], value);
            greatest[i] = Math.max(greatest[i], value);
        }
    }

    private void begin(String[] names) {
        fields = names;
        sums = new double[names.length];
        squares = new double[names.length];
        least = new double[names.length];
        greatest = new double[names.length];
        Arrays.fill(least, Double.POSITIVE_INFINITY);
        Arrays.fill(greatest, Double.NEGATIVE_INFINITY);
    }

    /** Adds another aggregate, which stays unchanged. */
    public void add(Aggregate other) {
        if (other.count == 0) {
            return;
        }
        if (count == 0) {
            begin(other.fields);
        }
        count += other.count;
        for (int i = 0; i < sums.length; i++) {
            sums[i] += other.sums[i];
            squares[i] += other.squares[i];
            least[i] = Math.min(least[i], other.least[i]);
            greatest[i] = Math.max(greatest[i], other.greatest[i]);
        }
    }

    /** Returns the result of a key in a window. */
    public WindowResult result(String key, long windowNs) {
        int length = sums.length;
        double[] means = new double[length];
        double[] variances = new double[length];
        for (int i = 0; i < length; i++) {
            means[i] = sums[i] / count;
            variances[i] = Math.max(0, squares[i] / count - means[i] * means[i]);
        }
        return new WindowResult(
                key, windowNs, fields, count, sums.clone(), least.clone(), greatest.clone(), means, variances);
    }
}
