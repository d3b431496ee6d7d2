package io.chimera.apps.node;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.CoordinatorConfig;
import io.chimera.common.security.Tls;
import io.chimera.coordinator.zookeeper.ZooKeeperSettings;
import java.util.Optional;

/** Where the cluster meets, from the configuration's words to ZooKeeper's. */
final class ClusterSettings {
    private ClusterSettings() {}

    /**
     * Settings.
     *
     * @param tls certificates of the section coordinator.tls; empty where it is not there
     */
    static ZooKeeperSettings of(CoordinatorConfig config, Optional<Tls> tls) {
        return new ZooKeeperSettings(
                config.connectString(), config.path(), config.cluster(), config.sessionTimeout(), config.secret(), tls);
    }

    /** The same for a command, which reads the certificates once. */
    static ZooKeeperSettings of(CoordinatorConfig config) {
        return of(
                config,
                Optional.ofNullable(config.tls())
                        .map(tls -> Tls.open("coordinator.tls", tls, true, new SystemClock())));
    }
}
