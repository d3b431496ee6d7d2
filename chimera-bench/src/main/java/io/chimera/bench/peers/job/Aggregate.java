package io.chimera.bench.peers.job;

import java.util.Arrays;

/**
 * What is known of the fields of one key in one window: number, sum, sum of squares, least and greatest value. Points of
 * one key have the same fields here. A plain object with public fields, which every engine's serializer takes.
 */
public final class Aggregate {
    /** Names of the fields. */
    public String[] fields;

    /** Points seen. */
    public long count;

    /** Per field. */
    public double[] sums;

    /** Per field. */
    public double[] squares;

    /** Per field. */
    public double[] least;

    /** Per field. */
    public double[] greatest;

    /** One that has seen nothing. */
    public Aggregate() {}

    /** Takes a point in. */
    public void add(Point point) {
        double[] values = point.values;
        if (count == 0) {
            begin(point.fields);
        }
        if (values.length != sums.length) {
            throw new IllegalArgumentException("A point of " + point.key + " has other fields than those before.");
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

    /** Takes in what another has seen, and leaves that one as it is. */
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

    /** What a window says of a key. */
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
