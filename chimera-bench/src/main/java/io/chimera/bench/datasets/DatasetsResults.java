package io.chimera.bench.datasets;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Results of the measurements, by name and in the order of their insertion. One thread. */
final class DatasetsResults {
    private final Map<String, List<Double>> figures = new LinkedHashMap<>();
    private final Map<String, List<Double>> ratios = new LinkedHashMap<>();
    private final Map<String, String> leftOut = new LinkedHashMap<>();
    private boolean hasFailed;

    /**
     * Adds a figure.
     *
     * @param name name with its unit
     * @param rounds value of each round
     */
    void figure(String name, List<Double> rounds) {
        figures.put(name, List.copyOf(rounds));
    }

    /**
     * Adds a ratio.
     *
     * @param over value of each round
     * @param under value of the same rounds to divide by
     */
    void ratio(String name, List<Double> over, List<Double> under) {
        ratios.put(
                name,
                IntStream.range(0, Math.min(over.size(), under.size()))
                        .mapToObj(round -> over.get(round) / under.get(round))
                        .toList());
    }

    /** Adds a figure whose measurement failed. */
    void fail(String name, IOException failure) {
        hasFailed = true;
        leaveOut(name, failure.getMessage());
    }

    /** Returns whether a measurement failed. */
    boolean hasFailed() {
        return hasFailed;
    }

    /**
     * Adds a figure that could not be measured.
     *
     * @param reason cause and remedy
     */
    void leaveOut(String name, String reason) {
        leftOut.put(name, reason);
        System.err.println(name + " was skipped: " + reason + ".");
    }

    Map<String, List<Double>> figures() {
        return figures;
    }

    Map<String, List<Double>> ratios() {
        return ratios;
    }

    Map<String, String> leftOut() {
        return leftOut;
    }

    /** Returns the median, the mean of the middle two for an even number. */
    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** Returns the difference of the largest and the smallest value, divided by the median. */
    static double spread(List<Double> values) {
        double max = values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        double min = values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        return (max - min) / median(values);
    }
}
