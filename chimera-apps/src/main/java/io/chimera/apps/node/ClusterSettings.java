package io.chimera.apps.node;

import io.chimera.common.config.CoordinatorConfig;
import io.chimera.coordinator.zookeeper.ZooKeeperSettings;

/** Where the cluster meets, from the configuration's words to ZooKeeper's. */
final class ClusterSettings {
    private ClusterSettings() {}

    static ZooKeeperSettings of(CoordinatorConfig config) {
        return new ZooKeeperSettings(config.connectString(), config.path(), config.cluster(), config.sessionTimeout());
    }
}
