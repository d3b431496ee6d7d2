package io.chimera.node.archive.recorder;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.node.option.ByteSizeConverter;
import io.chimera.node.option.DurationConverter;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of a recorder's cluster membership. */
final class ClusterOption {
    @Option(
            names = "--cluster",
            paramLabel = "SERVERS[/PATH/NAME]",
            converter = ClusterAddress.Converter.class,
            description = "Join a cluster of archive nodes; requires --http. Address of its ZooKeeper, e.g."
                    + " zk1:2181,zk2:2181/chimera/lab. Default: no cluster.")
    private ClusterAddress cluster;

    @Option(names = "--node", paramLabel = "NAME", description = "Name in the cluster; the same after every restart.")
    private String node;

    @Option(
            names = "--span",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = DurationConverter.class,
            description = "Length of the time spans of the shared index; the same on all nodes. Default:"
                    + " ${DEFAULT-VALUE}.")
    private Duration span;

    @Option(
            names = "--index-memory",
            paramLabel = "SIZE",
            defaultValue = "128MiB",
            converter = ByteSizeConverter.class,
            description = "Memory for the indexes of other nodes; beyond, the oldest spans are evicted and queries go"
                    + " to the nodes themselves. Default: ${DEFAULT-VALUE}.")
    private ByteSize indexMemory;

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
            throw new IllegalArgumentException("--cluster requires --http and --node.");
        }
        String host = Endpoint.parse(http).host();
        if (host.equals("0.0.0.0") || host.equals("::")) {
            throw new IllegalArgumentException(
                    "With --cluster, --http must be the address of this node for other nodes, not " + host + ".");
        }
        if (ClusterAddress.isLoopback(host) && !cluster.isLoopback()) {
            throw new IllegalArgumentException(
                    "With --cluster, --http must be the address of this node for other nodes; " + host
                            + " is every node's own loopback address.");
        }
        return Optional.of(new ArchiveNodeSettings(cluster, node, span, indexMemory.bytes()));
    }
}
