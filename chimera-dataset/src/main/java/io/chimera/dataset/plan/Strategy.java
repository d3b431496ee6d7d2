package io.chimera.dataset.plan;

/** Ways to bring a data set to the computation. The order is from the fewest parts to the most. */
public enum Strategy {
    /** Stream&amp;Compute of the paper: workers read from the source and compute in memory. */
    STREAM("stream"),
    /** Copy&amp;Compute of the paper: data nodes copy the data set first, then workers read the copy. */
    COPY("copy"),
    /** Copies and computes at the same time from the same bytes. */
    OVERLAP("overlap");

    private final String label;

    Strategy(String label) {
        this.label = label;
    }

    /** Returns the name in jobs and reports. */
    public String label() {
        return label;
    }

    /**
     * Returns whether data nodes receive from the source. Otherwise the workers receive, on the cores of the
     * computation.
     *
     * @param nodes nodes of the job
     */
    boolean receivesOnDataNodes(NodeCounts nodes) {
        return this == COPY || (this == OVERLAP && nodes.dataNodesApart());
    }
}
