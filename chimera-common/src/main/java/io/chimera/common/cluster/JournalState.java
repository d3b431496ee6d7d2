package io.chimera.common.cluster;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Facts about the journal of a queue node that outlive the node: its registration in the cluster keeps them.
 *
 * @param id identity of the journal's folder, new with each empty folder; 0 from releases without this value
 * @param registeredIn history of the tree, see {@link LowMark#history}, that has registered a node with this folder;
 *     empty before the first registration. The name is empty for a tree of an earlier release
 * @param copied number of losses of the journal group, see {@link JournalLosses}, when other journals of the group held
 *     all records of this one; empty while the journal may hold the only copy of a record
 */
public record JournalState(long id, Optional<String> registeredIn, OptionalLong copied) {
    /** State of a journal without an identity. */
    public static final JournalState NONE = of(0);

    /** Checks the values. */
    public JournalState {
        requireNonNull(registeredIn, "registeredIn");
        requireNonNull(copied, "copied");
    }

    /** Creates the state of a journal that was never registered, and is not copied. */
    public static JournalState of(long id) {
        return new JournalState(id, Optional.empty(), OptionalLong.empty());
    }

    /** Creates the state of a journal that a tree has registered, and that is not copied. */
    public static JournalState registered(long id, String history) {
        return new JournalState(id, Optional.of(history), OptionalLong.empty());
    }

    /** Returns whether a node with this folder was registered before, so that its registration should exist. */
    public boolean isReturning() {
        return registeredIn.isPresent();
    }

    /** Returns a copy after the given number of losses. */
    public JournalState copiedAfter(long losses) {
        return new JournalState(id, registeredIn, OptionalLong.of(losses));
    }
}
