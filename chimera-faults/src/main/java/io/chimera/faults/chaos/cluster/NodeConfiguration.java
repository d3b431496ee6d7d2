package io.chimera.faults.chaos.cluster;

/**
 * The configuration that all nodes share; what differs is set on each command line. Cycles and sessions are as short as they
 * can well be, so that recovery is what is measured, and not the time until a timer runs out.
 *
 * @param exactlyOnce whether rows are read back before a cycle counts as stored
 */
public record NodeConfiguration(boolean exactlyOnce) {
    private static final String TEXT = """
            coordinator: { connect: "%s", cluster: chaos, session_timeout: 1s, embedded: { run: never } }
            cycle: { every: 500ms, in_flight: 3 }
            queue:
              ring_slots: 32
              copies: 2
              journal: { max_bytes: 2GiB, roll: 10s, reserve: 32MiB }
            processor: { max_bytes: 96MiB }
            inputs:
              influx: { type: influx, http: "0.0.0.0:8086" }
            pipelines:
              all: { aggregate: { functions: [count, sum] }, stores: [kairos], delivery: %s }
            stores:
              kairos: { type: kairosdb, url: "http://%s", timeout: 5s }
            """;

    /**
     * Its text.
     *
     * @param zooKeepers host:port of the servers, with commas between
     * @param store host:port of KairosDB
     */
    String text(String zooKeepers, String store) {
        return TEXT.formatted(zooKeepers, exactlyOnce ? "exactly_once" : "at_least_once", store);
    }
}
