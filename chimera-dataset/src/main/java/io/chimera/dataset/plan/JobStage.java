package io.chimera.dataset.plan;

/** Stages of a data-set job, in the order of the data. */
public enum JobStage {
    /** The sources, with the far network and the round trip to them. */
    SOURCE("source"),
    /** The network links of workers and data nodes. */
    NETWORK("network"),
    /** Processor time for reception, and the wait for cores that compute. */
    RECEIVING_CPU("receiving CPU"),
    /** Processor time for formats and pipelines. */
    COMPUTING_CPU("computing CPU"),
    /** Writing and reading of the nearby copy. */
    STORAGE("storage");

    private final String label;

    JobStage(String label) {
        this.label = label;
    }

    /** Returns the name in reports. */
    public String label() {
        return label;
    }
}
