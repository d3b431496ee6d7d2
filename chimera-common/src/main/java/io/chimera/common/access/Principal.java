package io.chimera.common.access;

import io.chimera.common.identity.AccessRole;
import java.time.Instant;
import java.util.Set;

/**
 * Authenticated client with its permissions.
 *
 * @param name unique in the token file
 * @param roles permitted roles, including included roles
 * @param inputs permitted inputs for writing, by name; empty: all
 * @param quota sending limits
 * @param notAfter end of validity of the token; null: always valid
 * @param secretId changes with the token or password, and reveals neither
 */
record Principal(
        String name, Set<AccessRole> roles, Set<String> inputs, Quota quota, Instant notAfter, String secretId) {
    /** Copies the sets. */
    Principal {
        roles = Set.copyOf(roles);
        inputs = Set.copyOf(inputs);
    }

    boolean isExpired(long epochMs) {
        return notAfter != null && !Instant.ofEpochMilli(epochMs).isBefore(notAfter);
    }

    boolean mayDo(AccessRole role, String input) {
        return roles.contains(role) && (role != AccessRole.INGEST || inputs.isEmpty() || inputs.contains(input));
    }
}
