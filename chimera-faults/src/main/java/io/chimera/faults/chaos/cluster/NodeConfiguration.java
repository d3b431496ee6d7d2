package io.chimera.faults.chaos.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Configuration of all nodes, and the layout of the cluster; differences between nodes are set on the command lines.
 * Cycles and sessions are as short as possible, so measurements show the recovery and not the time until a timer
 * expires.
 *
 * @param exactlyOnce whether rows are read back before a cycle counts as stored
 * @param store store of the rows
 * @param hasEnsemble whether ZooKeeper has three separate servers; otherwise the first coordinator embeds the only
 *     server
 * @param groups number of journal groups: one with three queue nodes, or several with two each
 * @param lanes lanes of each queue node, and of each processor without an archive
 */
public record NodeConfiguration(boolean exactlyOnce, RowStore store, boolean hasEnsemble, int groups, int lanes) {
    /** Maximum number of journal groups. */
    public static final int GROUPS_MAX = 8;

    /** Maximum number of lanes. */
    public static final int LANES_MAX = 8;

    /** Name of the first group: the group of nodes without a configured group. */
    private static final String DEFAULT_GROUP = "main";

    /** Enough queue nodes for acknowledgements while a node is dead. */
    private static final int QUEUES_ALONE = 3;

    /** The smallest number of queue nodes with two copies. Without both nodes a group gives no acknowledgement. */
    private static final int QUEUES_OF_SEVERAL = 2;

    private static final int CLIENTS = 2;

    /** Period of a cluster with a single group and lane. */
    private static final Duration CYCLE = Duration.ofMillis(500);

    /** Pause between two requests of a client in a cluster with a single group and lane. */
    private static final Duration REQUESTS = Duration.ofMillis(50);

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
            cycle: { every: %6$dms, in_flight: 3 }
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

    /** Returns whether processors store the rows in archives. */
    public boolean hasArchive() {
        return store == RowStore.ARCHIVE;
    }

    /** Returns the queue nodes of each journal group, by name of the group. */
    public Map<String, List<String>> queueNodes() {
        Map<String, List<String>> all = new LinkedHashMap<>();
        int number = 0;
        for (int group = 1; group <= groups; group++) {
            List<String> nodes = new ArrayList<>();
            for (int i = 0; i < (groups == 1 ? QUEUES_ALONE : QUEUES_OF_SEVERAL); i++) {
                nodes.add("q" + ++number);
            }
            all.put(group == 1 ? DEFAULT_GROUP : "g" + group, nodes);
        }
        return all;
    }

    /** Returns the lanes of the nodes of a role. A processor with an archive has one lane. */
    public int lanesOf(Role role) {
        return switch (role) {
            case QUEUE -> lanes;
            case PROCESSOR -> hasArchive() ? 1 : lanes;
            case ZOOKEEPER, COORDINATOR, STORE, DATABASE -> 1;
        };
    }

    /** Returns the clients of each queue node: more than lanes, because a connection reaches any one of the lanes. */
    public int clientsPerNode() {
        return CLIENTS + lanes - 1;
    }

    /** Returns the period of cycles, which is longer with more members: their announcements load ZooKeeper. */
    public Duration cycle() {
        return isSimple() ? CYCLE : CYCLE.multipliedBy(2);
    }

    /** Returns the time from a request of a client to the next. The rate of all clients is the same for all layouts. */
    public Duration requestPause() {
        long clients = (long) clientsPerNode()
                * queueNodes().values().stream().mapToInt(List::size).sum();
        return REQUESTS.multipliedBy(clients).dividedBy((long) CLIENTS * QUEUES_ALONE);
    }

    private boolean isSimple() {
        return groups == 1 && lanes == 1;
    }

    /** Returns the settings of a node for its group and lanes; empty for the defaults. */
    Map<String, String> settings(Role role, String host) {
        Map<String, String> settings = new LinkedHashMap<>();
        if (lanesOf(role) > 1) {
            settings.put((role == Role.QUEUE ? "queue" : "processor") + ".lanes", Integer.toString(lanesOf(role)));
        }
        queueNodes().forEach((group, nodes) -> {
            if (nodes.contains(host) && !group.equals(DEFAULT_GROUP)) {
                settings.put("queue.group", group);
            }
        });
        return settings;
    }

    /**
     * Returns the text of the configuration.
     *
     * @param credentials folder of the certificates and tokens; the certificates of nodes are set on their command
     *     lines
     * @param zooKeepers host:port of the servers, separated by commas
     * @param kairos host:port of KairosDB; empty without KairosDB
     */
    String text(Path credentials, String zooKeepers, String kairos) {
        return TEXT.formatted(
                credentials,
                zooKeepers,
                hasArchive() ? JOURNAL_ARCHIVE : "",
                exactlyOnce ? "exactly_once" : "at_least_once",
                hasArchive()
                        ? "type: archive, archive: { size: 64MiB }"
                        : "type: kairosdb, url: \"http://" + kairos + "\", timeout: 5s",
                cycle().toMillis());
    }
}
