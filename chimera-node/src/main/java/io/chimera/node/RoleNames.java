package io.chimera.node;

import io.chimera.common.config.NodeConfig.Role;
import java.util.Locale;

/** Role names in lower case. */
final class RoleNames {
    private RoleNames() {}

    static String of(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }
}
