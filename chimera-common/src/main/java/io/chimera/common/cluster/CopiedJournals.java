package io.chimera.common.cluster;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Registered queue nodes whose records all have a copy in another journal.
 *
 * @param losses lost journals by group
 * @param copied {@link JournalState#copied} by id of the node; only nodes that are copied have an entry
 */
public record CopiedJournals(JournalLosses losses, SortedMap<String, Long> copied) {
    /** No node is known to be copied. */
    public static final CopiedJournals NONE = new CopiedJournals(JournalLosses.NONE, new TreeMap<>());

    /** Copies the map. */
    public CopiedJournals {
        copied = Collections.unmodifiableSortedMap(new TreeMap<>(copied));
    }

    /**
     * Returns whether other journals of a node's group hold all records that the node had when the group last lost a
     * journal. All later records have the copies that their acknowledgement required.
     */
    public boolean isCopied(String id, JournalGroup group) {
        Long seen = copied.get(id);
        return seen != null && seen == losses.of(group);
    }
}
