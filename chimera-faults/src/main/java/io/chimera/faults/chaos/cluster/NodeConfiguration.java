package io.chimera.faults.chaos.cluster;

/**
 * The configuration that all nodes share; what differs is set on each command line. Cycles and sessions are as short as they
 * can well be, so that recovery is what is measured, and not the time until a timer runs out.
 *
 * @param exactlyOnce whether rows are read back before a cycle counts as stored
 * @param store what keeps the rows
 */
public record NodeConfiguration(boolean exactlyOnce, RowStore store) {
    private static final String TEXT = """
            node: { http: "0.0.0.0:9600", insecure: true }
            coordinator: { connect: "%s", cluster: chaos, session_timeout: 1s, embedded: { run: never } }
            cycle: { every: 500ms, in_flight: 3 }
            queue:
              address: "0.0.0.0:9601"
              ring_slots: 32
              acks: 2
              journal: { max_bytes: 2GiB, roll: 10s, reserve: 32MiB%s }
            processor: { address: "0.0.0.0:9602", max_bytes: 96MiB }
            inputs:
              influx: { type: influx, http: "0.0.0.0:8086", insecure: true }
            pipelines:
              all: { aggregate: { functions: [count, sum] }, stores: [rows], delivery: %s }
            stores:
              rows: { %s }
            """;

    /** Journals let go of their files within seconds, so that the archive has to do with every fault. */
    private static final String JOURNAL_ARCHIVE = ", retain_for: 5s, archive: { size: 128MiB }";

    /**
     * Its text.
     *
     * @param zooKeepers host:port of the servers, with commas between
     * @param kairos host:port of KairosDB, where there is one
     */
    String text(String zooKeepers, String kairos) {
        boolean isArchive = store == RowStore.ARCHIVE;
        return TEXT.formatted(
                zooKeepers,
                isArchive ? JOURNAL_ARCHIVE : "",
                exactlyOnce ? "exactly_once" : "at_least_once",
                isArchive
                        ? "type: archive, archive: { size: 64MiB }"
                        : "type: kairosdb, url: \"http://" + kairos + "\", timeout: 5s");
    }
}
