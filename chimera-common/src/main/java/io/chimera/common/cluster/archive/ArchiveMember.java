package io.chimera.common.cluster.archive;

import java.util.Set;

/**
 * Announcement of a live archive node.
 *
 * @param id name of the node
 * @param session identifies this start of the process; never reused
 * @param http host:port for queries and index uploads of other nodes
 * @param index format of the index; nodes with different formats do not share an index
 * @param generation increases whenever packets arrive for a time already announced as complete; statements of older
 *     generations are void
 * @param kinds kinds of stored data
 */
public record ArchiveMember(
        String id, long session, String http, IndexFormat index, long generation, Set<ArchiveKind> kinds) {
    /** Key format of a node without a shared index; no index has this format. */
    public static final int NO_KEYS = 0;

    /**
     * Format of the index of an archive node.
     *
     * @param spanNs length of a time span, in ns
     * @param keys identifies the key format
     */
    public record IndexFormat(long spanNs, int keys) {}

    /** Copies the collection. */
    public ArchiveMember {
        kinds = Set.copyOf(kinds);
    }

    /** Creates a member with packets only. */
    public ArchiveMember(String id, long session, String http, IndexFormat index, long generation) {
        this(id, session, http, index, generation, Set.of(ArchiveKind.PACKETS));
    }

    /** Returns a copy with another generation. */
    public ArchiveMember inGeneration(long other) {
        return new ArchiveMember(id, session, http, index, other, kinds);
    }

    /** Returns whether the two nodes can store parts of each other's index. */
    public boolean sharesWith(ArchiveMember other) {
        return index.equals(other.index);
    }
}
