package io.chimera.bench.archive.peers;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What was measured of the archive and of others, by the names of figures. */
public final class PeerResults {
    private final Map<String, Double> seen = new LinkedHashMap<>();
    private boolean isComplete = true;

    /** Holds nothing yet. */
    public PeerResults() {}

    /** Adds a figure. */
    public void add(String figure, double value) {
        seen.put(figure, value);
    }

    /** Adds the middle one of several times. */
    public void addMedian(String figure, double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        add(figure, sorted[sorted.length / 2]);
    }

    /** Says what is left out, and what to do; also where nothing but the report is wanted. */
    public void leaveOut(String what, String cause) {
        isComplete = false;
        System.err.println(what + " is left out: " + cause + ".");
    }

    /** Whether nothing was left out. */
    public boolean isComplete() {
        return isComplete;
    }

    /** All figures. */
    public Map<String, Double> all() {
        return seen;
    }

    /** A figure, where it was measured. */
    public Optional<Double> of(String figure) {
        return Optional.ofNullable(seen.get(figure));
    }
}
