package io.chimera.bench.tls;

/** Which connections of a cluster use TLS. */
enum Protection {
    /** None. */
    NONE("none", false, false),
    /** Those between nodes, with certificates of both ends. */
    NODES("nodes", true, false),
    /** Those of senders. */
    INPUTS("inputs", false, true),
    /** All of them. */
    ALL("all", true, true);

    private final String figure;
    private final boolean coversNodes;
    private final boolean coversInputs;

    Protection(String figure, boolean coversNodes, boolean coversInputs) {
        this.figure = figure;
        this.coversNodes = coversNodes;
        this.coversInputs = coversInputs;
    }

    /** Stands in the names of its figures. */
    String figure() {
        return figure;
    }

    boolean coversNodes() {
        return coversNodes;
    }

    boolean coversInputs() {
        return coversInputs;
    }
}
