package io.chimera.common.cluster;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Number of journals that each journal group has lost: an operator removed a queue node, or a queue node returned with
 * an empty journal. A loss ends the proof that a record has another copy, because the lost journal may have been that
 * copy.
 *
 * @param counts losses by group; a group without an entry has lost none
 */
public record JournalLosses(SortedMap<JournalGroup, Long> counts) {
    /** No losses. */
    public static final JournalLosses NONE = new JournalLosses(new TreeMap<>());

    /** Copies the map. */
    public JournalLosses {
        counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
    }

    /** Returns the number of journals that a group has lost. */
    public long of(JournalGroup group) {
        return counts.getOrDefault(group, 0L);
    }

    /** Returns the losses with at least a number in a group. */
    public JournalLosses atLeast(JournalGroup group, long least) {
        SortedMap<JournalGroup, Long> next = new TreeMap<>(counts);
        next.merge(group, least, Math::max);
        return new JournalLosses(next);
    }

    /** Returns the losses after one more in a group. */
    public JournalLosses plus(JournalGroup group) {
        SortedMap<JournalGroup, Long> next = new TreeMap<>(counts);
        next.merge(group, 1L, Long::sum);
        return new JournalLosses(next);
    }
}
