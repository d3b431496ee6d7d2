package io.chimera.common.cluster;

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
 */
public record ArchiveMember(String id, long session, String http, long spanNs, int keys, long generation) {
    /** The same in another generation. */
    public ArchiveMember inGeneration(long other) {
        return new ArchiveMember(id, session, http, spanNs, keys, other);
    }

    /** Whether both can hold each other's index. */
    public boolean sharesWith(ArchiveMember other) {
        return spanNs == other.spanNs && keys == other.keys;
    }
}
