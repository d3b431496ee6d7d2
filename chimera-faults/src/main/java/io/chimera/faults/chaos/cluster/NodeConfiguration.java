package io.chimera.faults.chaos.cluster;

import java.nio.file.Path;

/**
 * The configuration that all nodes share; what differs is set on each command line. Cycles and sessions are as short as they
 * can well be, so that recovery is what is measured, and not the time until a timer runs out.
 *
 * @param exactlyOnce whether rows are read back before a cycle counts as stored
 * @param store what keeps the rows
 * @param hasEnsemble whether ZooKeeper has three servers of its own; the first coordinator embeds the only one if not
 */
public record NodeConfiguration(boolean exactlyOnce, RowStore store, boolean hasEnsemble) {
    private static final String TEXT = """
            node:
              http: "0.0.0.0:9600"
              tls: { cert: "%1$s/operator-chaos.pem", key: "%1$s/operator-chaos.key", ca: "%1$s/ca.pem", crl: "%1$s/crl.pem" }
              tokens: "%1$s/tokens.yaml"
              token: ${file:%1$s/operator.token}
            coordinator:
              connect: "%2$s"
              cluster: chaos
              session_timeout: 1s
              secret: ${file:%1$s/cluster.secret}
              tls: { cert: "%1$s/operator-chaos.pem", key: "%1$s/operator-chaos.key", ca: "%1$s/ca.pem" }
              embedded: { run: never }
            cycle: { every: 500ms, in_flight: 3 }
            queue:
              address: "0.0.0.0:9601"
              ring_slots: 32
              acks: 2
              journal: { max_bytes: 2GiB, roll: 10s, reserve: 32MiB%3$s }
            processor: { address: "0.0.0.0:9602", max_bytes: 96MiB }
            inputs:
              influx:
                type: influx
                http: "0.0.0.0:8086"
                tls: { cert: "%1$s/operator-chaos.pem", key: "%1$s/operator-chaos.key" }
            pipelines:
              all: { aggregate: { functions: [count, sum] }, stores: [rows], delivery: %4$s }
            stores:
              rows: { %5$s }
            """;

    /** Journals let go of their files within seconds, so that the archive has to do with every fault. */
    private static final String JOURNAL_ARCHIVE = ", retain_for: 5s, archive: { size: 128MiB }";

    /**
     * Its text.
     *
     * @param credentials folder of the certificates and tokens; nodes have certificates of their own on their command lines
     * @param zooKeepers host:port of the servers, with commas between
     * @param kairos host:port of KairosDB, where there is one
     */
    String text(Path credentials, String zooKeepers, String kairos) {
        boolean isArchive = store == RowStore.ARCHIVE;
        return TEXT.formatted(
                credentials,
                zooKeepers,
                isArchive ? JOURNAL_ARCHIVE : "",
                exactlyOnce ? "exactly_once" : "at_least_once",
                isArchive
                        ? "type: archive, archive: { size: 64MiB }"
                        : "type: kairosdb, url: \"http://" + kairos + "\", timeout: 5s");
    }
}
