package io.chimera.dataset.plan;

/** A resource to add to a job, for the gain of a single unit more. */
public enum Addition {
    /** A further source, as fast as the fastest source. */
    SOURCE("source"),
    /** A further worker. */
    WORKER("worker"),
    /** A further core in every worker and data node. */
    CORE("core per node"),
    /** A further data node. */
    DATA_NODE("data node");

    private final String label;

    Addition(String label) {
        this.label = label;
    }

    /** Returns the name in reports. */
    public String label() {
        return label;
    }
}
