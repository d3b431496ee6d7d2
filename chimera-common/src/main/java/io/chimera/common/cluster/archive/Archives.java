package io.chimera.common.cluster.archive;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Archive nodes of a cluster.
 *
 * @param live live archive nodes, ordered by id
 * @param known all archive nodes ever seen, until an operator removes them; the data of an absent node are unavailable
 */
public record Archives(List<ArchiveMember> live, List<KnownArchive> known) {
    /** No archive nodes. */
    public static final Archives NONE = new Archives(List.of(), List.of());

    /** Copies the lists. */
    public Archives {
        live = List.copyOf(live);
        known = List.copyOf(known);
    }

    /** Returns the live archive node with a session. */
    public Optional<ArchiveMember> member(long session) {
        return live.stream().filter(member -> member.session() == session).findFirst();
    }

    /** Returns the archive nodes with data of a kind. */
    public Archives of(ArchiveKind kind) {
        return new Archives(
                live.stream().filter(member -> member.kinds().contains(kind)).toList(),
                known.stream().filter(node -> node.kinds().contains(kind)).toList());
    }

    /** Returns whether the cluster has no archive nodes and never had any. */
    public boolean isEmpty() {
        return live.isEmpty() && known.isEmpty();
    }

    /** Ids of the absent archive nodes. */
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
