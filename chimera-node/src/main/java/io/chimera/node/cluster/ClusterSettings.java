package io.chimera.node.cluster;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.CoordinatorConfig;
import io.chimera.common.security.Tls;
import io.chimera.coordinator.zookeeper.ZooKeeperSettings;
import java.util.Optional;

/** Maps the coordinator section of the configuration to ZooKeeper settings. */
public final class ClusterSettings {
    private ClusterSettings() {}

    /**
     * Returns the settings of a node.
     *
     * @param tls certificates of the section coordinator.tls; empty without the section
     */
    public static ZooKeeperSettings of(CoordinatorConfig config, Optional<Tls> tls) {
        return new ZooKeeperSettings(
                config.connectString(), config.path(), config.cluster(), config.sessionTimeout(), config.secret(), tls);
    }

    /** Returns the settings of a command. A command reads the certificates once, without reload. */
    public static ZooKeeperSettings of(CoordinatorConfig config) {
        return of(
                config,
                Optional.ofNullable(config.tls())
                        .map(tls -> Tls.open("coordinator.tls", tls, true, new SystemClock())));
    }
}
