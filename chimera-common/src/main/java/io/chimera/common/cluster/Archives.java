package io.chimera.common.cluster;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The archive nodes of a cluster.
 *
 * @param live those that are there, ordered by id
 * @param known all that were ever there, until somebody has them forgotten: what they hold lacks while they are away
 */
public record Archives(List<ArchiveMember> live, List<KnownArchive> known) {
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

    /** Those that hold things of a kind. */
    public Archives of(ArchiveKind kind) {
        return new Archives(
                live.stream().filter(member -> member.kinds().contains(kind)).toList(),
                known.stream().filter(node -> node.kinds().contains(kind)).toList());
    }

    /** Whether there are none, and never were. */
    public boolean isEmpty() {
        return live.isEmpty() && known.isEmpty();
    }

    /** Ids of those that are away. */
    public List<String> away() {
        return known.stream()
                .map(KnownArchive::id)
                .filter(id -> ids().noneMatch(id::equals))
                .toList();
    }

    private Stream<String> ids() {
        return live.stream().map(ArchiveMember::id);
    }
}
