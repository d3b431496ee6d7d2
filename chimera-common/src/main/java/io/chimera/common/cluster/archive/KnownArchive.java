package io.chimera.common.cluster.archive;

import java.util.Set;

/**
 * Archive node known from its announcement, live or absent.
 *
 * @param id name of the node
 * @param kinds kinds of data possibly stored on the node
 */
public record KnownArchive(String id, Set<ArchiveKind> kinds) {
    /** Copies the set. */
    public KnownArchive {
        kinds = Set.copyOf(kinds);
    }
}
