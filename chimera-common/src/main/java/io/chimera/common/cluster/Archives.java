package io.chimera.common.cluster;

import java.util.List;
import java.util.Optional;

/**
 * The archive nodes of a cluster.
 *
 * @param live those that are there, ordered by id
 * @param known ids of all that were ever there, until somebody has them forgotten: what they recorded lacks while they are away
 */
public record Archives(List<ArchiveMember> live, List<String> known) {
    /** None. */
    public static final Archives NONE = new Archives(List.of(), List.of());

    /** Takes unmodifiable copies. */
    public Archives {
        live = List.copyOf(live);
        known = List.copyOf(known);
    }

    /** The live archive node of a session. */
    public Optional<ArchiveMember> member(long session) {
        return live.stream().filter(member -> member.session() == session).findFirst();
    }

    /** Ids of those that are away. */
    public List<String> away() {
        return known.stream()
                .filter(id -> live.stream().noneMatch(member -> member.id().equals(id)))
                .toList();
    }
}
