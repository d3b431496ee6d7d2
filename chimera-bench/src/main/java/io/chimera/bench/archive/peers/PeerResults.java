package io.chimera.bench.archive.peers;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Results of the archive and its alternatives, by figure name. */
public final class PeerResults {
    private final Map<String, Double> seen = new LinkedHashMap<>();
    private boolean isComplete = true;

    /** Creates empty results. */
    public PeerResults() {}

    /** Adds a figure. */
    public void add(String figure, double value) {
        seen.put(figure, value);
    }

    /** Adds the median of several times. */
    public void addMedian(String figure, double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        add(figure, sorted[sorted.length / 2]);
    }

    /** Reports a skipped measurement and the remedy on standard error, even when only the report is wanted. */
    public void leaveOut(String what, String cause) {
        isComplete = false;
        System.err.println(what + " was skipped: " + cause + ".");
    }

    /** Returns whether nothing was skipped. */
    public boolean isComplete() {
        return isComplete;
    }

    /** Returns all figures. */
    public Map<String, Double> all() {
        return seen;
    }

    /** Returns a figure; empty if unmeasured. */
    public Optional<Double> of(String figure) {
        return Optional.ofNullable(seen.get(figure));
    }
}
