package io.chimera.common.cluster.archive;

import java.util.Set;

/**
 * Announcement of a live archive node.
 *
 * @param id name of the node
 * @param session identifies this start of the process; never reused
 * @param http host:port for queries and index uploads of other nodes
 * @param spanNs length of a time span of the index, in ns; nodes with different lengths do not share an index
 * @param keys identifies the key format of the index; nodes with different formats do not share an index
 * @param generation increases whenever packets arrive for a time already announced as complete; statements of older
 *     generations are void
 * @param kinds kinds of stored data
 */
public record ArchiveMember(
        String id, long session, String http, long spanNs, int keys, long generation, Set<ArchiveKind> kinds) {
    /** Key format of a node without a shared index; no index has this format. */
    public static final int NO_KEYS = 0;

    /** Copies the collection. */
    public ArchiveMember {
        kinds = Set.copyOf(kinds);
    }

    /** Creates a member with packets only. */
    public ArchiveMember(String id, long session, String http, long spanNs, int keys, long generation) {
        this(id, session, http, spanNs, keys, generation, Set.of(ArchiveKind.PACKETS));
    }

    /** Returns a copy with another generation. */
    public ArchiveMember inGeneration(long other) {
        return new ArchiveMember(id, session, http, spanNs, keys, other, kinds);
    }

    /** Returns whether the two nodes can store parts of each other's index. */
    public boolean sharesWith(ArchiveMember other) {
        return spanNs == other.spanNs && keys == other.keys;
    }
}
