package io.chimera.node.launch;

import io.chimera.common.config.NodeConfig.Role;
import java.util.Map;

/** Launchers of all roles. */
final class Launchers {
    private Launchers() {}

    static Map<Role, Launcher> all() {
        return Map.of(
                Role.COORDINATOR, new CoordinatorLauncher(),
                Role.QUEUE, new QueueLauncher(),
                Role.PROCESSOR, new ProcessorLauncher());
    }
}
