package io.chimera.faults.chaos.cluster;

/** The configuration that all nodes share; what differs is set on each command line. */
@FunctionalInterface
public interface NodeConfiguration {
    /**
     * Its text.
     *
     * @param zooKeepers host:port of the servers, with commas between
     * @param store host:port of KairosDB
     */
    String text(String zooKeepers, String store);

    /** Short cycles and the shortest session, so that recovery is measured and not waiting for a timer. */
    static String atLeastOnce(String zooKeepers, String store) {
        return """
                coordinator: { connect: "%s", cluster: chaos, session_timeout: 1s, embedded: { run: never } }
                cycle: { every: 500ms, in_flight: 3 }
                queue:
                  ring_slots: 32
                  copies: 2
                  journal: { max_bytes: 2GiB, roll: 10s, reserve: 32MiB }
                processor: { max_bytes: 128MiB }
                inputs:
                  influx: { type: influx, http: "0.0.0.0:8086" }
                pipelines:
                  all: { aggregate: { functions: [count, sum] }, stores: [kairos] }
                stores:
                  kairos: { type: kairosdb, url: "http://%s", timeout: 5s }
                """.formatted(zooKeepers, store);
    }
}
