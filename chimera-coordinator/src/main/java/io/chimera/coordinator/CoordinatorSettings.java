package io.chimera.coordinator;

import io.chimera.common.access.AccessControl;
import io.chimera.common.channel.Endpoint;
import io.chimera.coordinator.zookeeper.ZooKeeperSettings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a coordinator is made of.
 *
 * @param id the node's name in the configuration
 * @param embedded the ZooKeeper server to run in this process, if any
 * @param zooKeeper which cluster, and where it is kept; where the embedded server listens on port 0, the port that it got
 *     takes the place of the servers named here
 * @param conductor what the conductor decides by
 */
public record CoordinatorSettings(
        String id, Optional<Embedded> embedded, ZooKeeperSettings zooKeeper, ConductorSettings conductor) {
    /**
     * A ZooKeeper server in this process.
     *
     * @param directory of its log and snapshots
     * @param address where it listens
     * @param access is told of clients that it refuses
     */
    public record Embedded(Path directory, Endpoint address, AccessControl access) {}
}
