package io.chimera.common.wire;

import io.chimera.api.model.HistogramWriter;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;

/** Histograms for tests. */
public final class HistogramBytes {
    private HistogramBytes() {}

    /** Returns an exponential histogram of numbers other than 0, with their sum, minimum and maximum. */
    public static byte[] exponential(int scale, double... numbers) {
        SortedMap<Integer, Long> positive = new TreeMap<>();
        SortedMap<Integer, Long> negative = new TreeMap<>();
        long zeros = 0;
        for (double number : numbers) {
            if (number == 0) {
                zeros++;
            } else {
                (number > 0 ? positive : negative).merge(index(Math.abs(number), scale), 1L, Long::sum);
            }
        }
        HistogramWriter writer = new HistogramWriter();
        writer.begin(scale, 0, zeros);
        write(writer, positive);
        write(writer, negative);
        return ended(writer, numbers);
    }

    /** Returns the bucket of a positive number: above base^index, up to base^(index + 1). */
    public static int index(double number, int scale) {
        return (int) Math.ceil(Math.log(number) / Math.log(2) * Math.pow(2, scale)) - 1;
    }

    private static void write(HistogramWriter writer, SortedMap<Integer, Long> buckets) {
        int first = buckets.isEmpty() ? 0 : buckets.firstKey();
        int count = buckets.isEmpty() ? 0 : buckets.lastKey() - first + 1;
        writer.buckets(first, count);
        for (int i = 0; i < count; i++) {
            writer.bucket(buckets.getOrDefault(first + i, 0L));
        }
    }

    /** Returns a histogram with explicit bounds of numbers. */
    public static byte[] explicit(double[] bounds, double... numbers) {
        HistogramWriter writer = new HistogramWriter();
        writer.begin(HistogramWriter.EXPLICIT, 0, 0);
        writer.bounds(bounds.length);
        for (double bound : bounds) {
            writer.bound(bound);
        }
        for (int i = 0; i <= bounds.length; i++) {
            double above = i == 0 ? Double.NEGATIVE_INFINITY : bounds[i - 1];
            double upTo = i == bounds.length ? Double.POSITIVE_INFINITY : bounds[i];
            writer.bucket(Arrays.stream(numbers)
                    .filter(number -> number > above && number <= upTo)
                    .count());
        }
        return ended(writer, numbers);
    }

    private static byte[] ended(HistogramWriter writer, double... numbers) {
        int length = writer.end(
                Arrays.stream(numbers).sum(),
                Arrays.stream(numbers).min().orElse(Double.NaN),
                Arrays.stream(numbers).max().orElse(Double.NaN));
        if (length == 0) {
            throw new IllegalArgumentException("The histogram is too long.");
        }
        return Arrays.copyOf(writer.bytes(), length);
    }
}
