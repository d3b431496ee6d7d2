package io.chimera.bench.cluster;

import java.util.Map;

/** How points come to the queue nodes of a cluster. */
public enum ClusterInput {
    /** Line protocol over HTTP. */
    INFLUX("influx", "http"),
    /** Tweets over TCP. */
    TWEETS("tweets", "tcp"),
    /** Line protocol over TCP: one connection keeps points in their order. */
    LINES("influx", "tcp"),
    /** Flows of the packets that come in at the interface {@link #INTERFACE}, a point of each at least every two seconds. */
    PACKETS("capture", "");

    /** Where packets come in. */
    public static final String INTERFACE = "veth-r";

    private final String type;
    private final String listener;

    ClusterInput(String type, String listener) {
        this.type = type;
        this.listener = listener;
    }

    /** The settings that take the address of a node. */
    Map<String, String> settings(String address) {
        return this == PACKETS ? Map.of() : Map.of("inputs." + type + "." + listener, address);
    }

    /** As the configuration file writes it. */
    String configuration() {
        if (this == PACKETS) {
            return "packets: { type: capture, capture: { source: \"tpacket:" + INTERFACE
                    + "\", idle: 1s, active: 2s } }";
        }
        return type + ": { type: " + type + ", " + listener + ": \"127.0.0.1:0\" }";
    }
}
