package io.chimera.faults.chaos.cluster;

import java.nio.file.Path;

/**
 * Configuration of all nodes; differences between nodes are set on the command lines. Cycles and sessions are as short
 * as possible, so measurements show the recovery and not the time until a timer expires.
 *
 * @param exactlyOnce whether rows are read back before a cycle counts as stored
 * @param store store of the rows
 * @param hasEnsemble whether ZooKeeper has three separate servers; otherwise the first coordinator embeds the only
 *     server
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
              tls: { cert: "%1$s/operator-chaos.pem", key: "%1$s/operator-chaos.key", ca: "%1$s/ca.pem", crl: "%1$s/crl.pem" }
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

    /** Short retention: journals archive their files within seconds, so the archive takes part in every fault. */
    private static final String JOURNAL_ARCHIVE = ", retain_for: 5s, archive: { size: 128MiB }";

    /**
     * Returns the text of the configuration.
     *
     * @param credentials folder of the certificates and tokens; the certificates of nodes are set on their command
     *     lines
     * @param zooKeepers host:port of the servers, separated by commas
     * @param kairos host:port of KairosDB; empty without KairosDB
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
