package io.chimera.bench.peers.job;

/** What an engine emits: the six aggregates of every field of one key in one window. */
public final class WindowResult {
    /** Metric and ordered tags. */
    public String key;

    /** Begin of the window, nanoseconds since 1970. */
    public long windowNs;

    /** Names of the fields. */
    public String[] fields;

    /** Points in the window. */
    public long count;

    /** Per field. */
    public double[] sums;

    /** Per field. */
    public double[] least;

    /** Per field. */
    public double[] greatest;

    /** Per field. */
    public double[] means;

    /** Per field, of the population. */
    public double[] variances;

    /** For serializers. */
    public WindowResult() {}

    /** A result. */
    public WindowResult(
            String key,
            long windowNs,
            String[] fields,
            long count,
            double[] sums,
            double[] least,
            double[] greatest,
            double[] means,
            double[] variances) {
        this.key = key;
        this.windowNs = windowNs;
        this.fields = fields;
        this.count = count;
        this.sums = sums;
        this.least = least;
        this.greatest = greatest;
        this.means = means;
        this.variances = variances;
    }
}
