package io.chimera.bench.tls;

/** Connections of a cluster that use TLS. */
enum Protection {
    /** No connections. */
    NONE("none", false, false),
    /** Connections between nodes, with mutual TLS. */
    NODES("nodes", true, false),
    /** Connections of senders. */
    INPUTS("inputs", false, true),
    /** All connections. */
    ALL("all", true, true);

    private final String figure;
    private final boolean coversNodes;
    private final boolean coversInputs;

    Protection(String figure, boolean coversNodes, boolean coversInputs) {
        this.figure = figure;
        this.coversNodes = coversNodes;
        this.coversInputs = coversInputs;
    }

    /** Returns the name in figures. */
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
