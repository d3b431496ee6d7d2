package io.chimera.bench.cluster;

import java.util.Map;

/** Inputs of the queue nodes of a cluster. */
public enum ClusterInput {
    /** Line protocol over HTTP. */
    INFLUX("influx", "http"),
    /** Line protocol over HTTP; one client may use all the memory for request bodies. */
    INFLUX_ONE_CLIENT("influx", "http"),
    /** Tweets over TCP. */
    TWEETS("tweets", "tcp"),
    /** Line protocol over TCP: one connection preserves the order of points. */
    LINES("influx", "tcp"),
    /**
     * Flows of packets received at the interface {@link #INTERFACE}; each flow yields a point at least every two
     * seconds.
     */
    PACKETS("capture", "");

    /** Address in the configuration file. Each queue node replaces the address by {@link #settings}. */
    private static final String REPLACED = "127.0.0.1:1";

    /** Interface that receives packets. */
    public static final String INTERFACE = "veth-r";

    private final String type;
    private final String listener;

    ClusterInput(String type, String listener) {
        this.type = type;
        this.listener = listener;
    }

    /** Returns the settings with the address of a node. */
    Map<String, String> settings(String address) {
        return switch (this) {
            case PACKETS -> Map.of();
            case INFLUX_ONE_CLIENT ->
                Map.of("inputs." + type + "." + listener, address, "inputs.influx.limits.client_share", "100");
            case INFLUX, TWEETS, LINES -> Map.of("inputs." + type + "." + listener, address);
        };
    }

    /** Returns the input in the syntax of the configuration file. */
    String configuration() {
        if (this == PACKETS) {
            return "packets: { type: capture, capture: { source: \"tpacket:" + INTERFACE
                    + "\", idle: 1s, active: 2s } }";
        }
        return type + ": { type: " + type + ", " + listener + ": \"" + REPLACED + "\" }";
    }
}
