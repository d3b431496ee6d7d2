package io.chimera.common.cluster;

import java.util.Set;

/**
 * An archive node that was once there.
 *
 * @param id the node's name
 * @param kinds what it may hold
 */
public record KnownArchive(String id, Set<ArchiveKind> kinds) {
    /** Takes an unmodifiable copy. */
    public KnownArchive {
        kinds = Set.copyOf(kinds);
    }
}
