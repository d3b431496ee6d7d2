package io.chimera.common.access;

import java.time.Instant;
import java.util.Set;

/**
 * Somebody who may do something.
 *
 * @param name unique in the token file
 * @param roles what it may do, included roles among them
 * @param inputs names of the inputs that it may write to; empty: all
 * @param quota how much it may send
 * @param notAfter its token is not valid afterwards; null: always valid
 * @param secretId changes with its token or password, and tells nothing of them
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
