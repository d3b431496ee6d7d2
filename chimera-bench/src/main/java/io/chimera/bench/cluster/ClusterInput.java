package io.chimera.bench.cluster;

/** How points come to the queue nodes of a cluster. */
public enum ClusterInput {
    /** Line protocol over HTTP. */
    INFLUX("influx", "http"),
    /** Tweets over TCP. */
    TWEETS("tweets", "tcp"),
    /** Line protocol over TCP: one connection keeps points in their order. */
    LINES("influx", "tcp");

    private final String type;
    private final String listener;

    ClusterInput(String type, String listener) {
        this.type = type;
        this.listener = listener;
    }

    /** The setting that takes the address of a node. */
    String setting() {
        return "inputs." + type + "." + listener;
    }

    /** As the configuration file writes it. */
    String configuration() {
        return type + ": { type: " + type + ", " + listener + ": \"127.0.0.1:0\" }";
    }
}
