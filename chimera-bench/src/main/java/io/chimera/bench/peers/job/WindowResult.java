package io.chimera.bench.peers.job;

/** Output of an engine: the six aggregates of every field of one key in one window. */
public final class WindowResult {
    /** Metric and sorted tags. */
    public String key;

    /** Start of the window in nanoseconds since 1970. */
    public long windowNs;

    /** Names of the fields. */
    public String[] fields;

    /** Number of points in the window. */
    public long count;

    /** Sum per field. */
    public double[] sums;

    /** Minimum per field. */
    public double[] least;

    /** Maximum per field. */
    public double[] greatest;

    /** Mean per field. */
    public double[] means;

    /** Population variance per field. */
    public double[] variances;

    /** Called by serializers. */
    public WindowResult() {}

    /** Creates a result. */
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
