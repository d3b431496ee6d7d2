package io.chimera.apps.node;

import io.chimera.common.config.NodeConfig.Role;
import java.util.List;
import java.util.Locale;

/** Roles as they are written. */
final class RoleNames {
    private RoleNames() {}

    static String of(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    /** The nodes of a process, in the order in which they start: who is waited for comes first. */
    static List<Role> nodesOf(Role role) {
        return role == Role.ALL ? List.of(Role.COORDINATOR, Role.QUEUE, Role.PROCESSOR) : List.of(role);
    }
}
