package io.chimera.apps.node.archive;

import io.chimera.apps.node.load.DurationConverter;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.ByteSize;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of a recorder's cluster membership. */
final class ClusterOption {
    @Option(
            names = "--cluster",
            paramLabel = "SERVERS[/PATH/NAME]",
            converter = ClusterAddress.Converter.class,
            description = "Joins a cluster of archive nodes, which answer as one; with --http. Its ZooKeeper, e.g."
                    + " zk1:2181,zk2:2181/chimera/lab. Default: no cluster.")
    private ClusterAddress cluster;

    @Option(names = "--node", paramLabel = "NAME", description = "Its name in the cluster, always the same one.")
    private String node;

    @Option(
            names = "--span",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = DurationConverter.class,
            description = "How long the spans of time are whose index one node holds; the same for all nodes. Default:"
                    + " ${DEFAULT-VALUE}.")
    private Duration span;

    @Option(
            names = "--index-memory",
            paramLabel = "SIZE",
            defaultValue = "128MiB",
            converter = ByteSizeConverter.class,
            description = "Memory for the indexes of other nodes; what does not fit, the oldest, is asked of the nodes"
                    + " themselves. Default: ${DEFAULT-VALUE}.")
    private ByteSize indexMemory;

    /** Recognises loopback addresses without a DNS lookup. */
    static boolean isLoopback(String host) {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("::1");
    }

    /**
     * Returns the settings; empty without --cluster.
     *
     * @param http the recorder's address; null without an HTTP port
     * @throws IllegalArgumentException with a description of contradictory options
     */
    Optional<ArchiveNodeSettings> settings(String http) {
        if (cluster == null) {
            return Optional.empty();
        }
        if (http == null || node == null) {
            throw new IllegalArgumentException("With --cluster there must be --http and --node.");
        }
        String host = Endpoint.parse(http).host();
        if (host.equals("0.0.0.0") || host.equals("::")) {
            throw new IllegalArgumentException(
                    "With --cluster, --http must name the address at which the other nodes reach this one, not " + host
                            + ".");
        }
        if (isLoopback(host) && !cluster.isLoopback()) {
            throw new IllegalArgumentException(
                    "With --cluster, --http must name the address at which the other nodes reach" + " this one; " + host
                            + " leads each of them to itself.");
        }
        return Optional.of(new ArchiveNodeSettings(cluster, node, span, indexMemory.bytes()));
    }
}
