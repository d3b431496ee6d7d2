package io.chimera.common.cluster;

import java.util.Set;

/**
 * A live archive node as it announces itself.
 *
 * @param id the node's name
 * @param session names this start of the process; never used again
 * @param http host:port where others ask it, and bring it their index
 * @param spanNs how long the spans are that it cuts time into; nodes with other spans do not share an index
 * @param keys tells the keys of its index from others
 * @param generation grows whenever packets came for a time of which it had said that nothing more would come: what it said
 *     before in words of an older generation does not count any more
 * @param kinds what it holds
 */
public record ArchiveMember(
        String id, long session, String http, long spanNs, int keys, long generation, Set<ArchiveKind> kinds) {
    /** Of a node that shares no index: no index has these keys. */
    public static final int NO_KEYS = 0;

    /** Takes an unmodifiable copy. */
    public ArchiveMember {
        kinds = Set.copyOf(kinds);
    }

    /** A node that holds packets. */
    public ArchiveMember(String id, long session, String http, long spanNs, int keys, long generation) {
        this(id, session, http, spanNs, keys, generation, Set.of(ArchiveKind.PACKETS));
    }

    /** The same in another generation. */
    public ArchiveMember inGeneration(long other) {
        return new ArchiveMember(id, session, http, spanNs, keys, other, kinds);
    }

    /** Whether both can hold each other's index. */
    public boolean sharesWith(ArchiveMember other) {
        return spanNs == other.spanNs && keys == other.keys;
    }
}
