package io.chimera.coordinator;

import io.chimera.common.access.AccessControl;
import io.chimera.common.channel.Endpoint;
import io.chimera.coordinator.conductor.ConductorSettings;
import io.chimera.coordinator.zookeeper.ZooKeeperSettings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Settings of a coordinator.
 *
 * @param id id of the node in the configuration
 * @param embedded ZooKeeper server to run in this process, if any
 * @param zooKeeper name and servers of the cluster; when the embedded server listens on port 0, its actual port
 *     replaces the servers named here
 * @param conductor settings of the conductor
 */
public record CoordinatorSettings(
        String id, Optional<Embedded> embedded, ZooKeeperSettings zooKeeper, ConductorSettings conductor) {
    /**
     * Settings of the embedded ZooKeeper server.
     *
     * @param directory folder of its log and snapshots
     * @param address listen address
     * @param access receives the refused clients
     */
    public record Embedded(Path directory, Endpoint address, AccessControl access) {}
}
