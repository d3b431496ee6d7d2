package io.chimera.common.config;

import io.chimera.common.channel.Endpoint;

/** One input of a queue node: a protocol and the addresses where it is spoken. */
public record InputConfig(
        @Doc(
                "Protocol: influx (line protocol over HTTP, TCP and UDP), kairosdb (its REST API, and telnet on tcp) or tweets"
                        + " (their hashtags; a JSON object a line over HTTP and TCP).")
        Type type,

        @Doc("Address of the HTTP listener, host:port; not there: none.")
        Endpoint http,

        @Doc("Address of the TCP listener, host:port; not there: none.")
        Endpoint tcp,

        @Doc("Address of the UDP listener, host:port, influx only; not there: none.")
        Endpoint udp,

        @Doc("What this input accepts at most.") LimitsConfig limits) {
    /** A protocol. */
    public enum Type {
        /** InfluxDB line protocol. */
        INFLUX,
        /** KairosDB's REST API and telnet commands. */
        KAIROSDB,
        /** Tweets as JSON, one a line, of which only the hashtags are taken. */
        TWEETS
    }

    /** Fills in the defaults. */
    public InputConfig {
        type = type == null ? Type.INFLUX : type;
        limits = limits == null ? new LimitsConfig(null, null, null, null, null) : limits;
        new Requirements()
                .that(udp == null || type == Type.INFLUX, "udp", udp, "no UDP listener for this type of input")
                .check();
    }

    /** Whether it listens anywhere. */
    boolean listens() {
        return http != null || tcp != null || udp != null;
    }
}
