package io.chimera.common.cluster;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Facts about the journal of a queue node that outlive the node: its registration in the cluster keeps them.
 *
 * @param id identity of the journal's folder, new with each empty folder and after each loss of records; 0 from
 *     releases without this value
 * @param replaced earlier identities of the same folder that its registration may still name
 * @param registeredIn history of the tree, see {@link LowMark#history}, that has registered a node with this folder;
 *     empty before the first registration. The name is empty for a tree of an earlier release
 * @param namedIn history of the tree whose control state named the node as registered, in the copy that this start of
 *     the node found in its folder; empty without such a copy. An earlier registration may have used another folder
 * @param copied number of losses of the journal group, see {@link JournalLosses}, when other journals of the group held
 *     all records of this one; empty while the journal may hold the only copy of a record
 */
public record JournalState(
        long id, List<Long> replaced, Optional<String> registeredIn, Optional<String> namedIn, OptionalLong copied) {
    /** State of a journal without an identity. */
    public static final JournalState NONE = of(0);

    /** Checks the values. */
    public JournalState {
        replaced = List.copyOf(replaced);
        requireNonNull(registeredIn, "registeredIn");
        requireNonNull(namedIn, "namedIn");
        requireNonNull(copied, "copied");
    }

    /** Creates the state of a journal that was never registered, and is not copied. */
    public static JournalState of(long id) {
        return new JournalState(id, List.of(), Optional.empty(), Optional.empty(), OptionalLong.empty());
    }

    /** Creates the state of a journal that a tree has registered, and that is not copied. */
    public static JournalState registered(long id, String history) {
        return new JournalState(id, List.of(), Optional.of(history), Optional.empty(), OptionalLong.empty());
    }

    /** Returns whether a node with this folder was registered before, so that its registration should exist. */
    public boolean isReturning() {
        return registeredIn.isPresent() || namedIn.isPresent();
    }

    /** Returns whether a registration with another identity is the registration of this folder. */
    public boolean hasReplaced(long other) {
        return replaced.contains(other);
    }

    /** Returns a copy with earlier identities of the folder. */
    public JournalState replacing(List<Long> ids) {
        return new JournalState(id, ids, registeredIn, namedIn, copied);
    }

    /** Returns a copy for a folder whose copy of the control state names the node. */
    public JournalState namedIn(String history) {
        return new JournalState(id, replaced, registeredIn, Optional.of(history), copied);
    }

    /** Returns a copy after the given number of losses. */
    public JournalState copiedAfter(long losses) {
        return new JournalState(id, replaced, registeredIn, namedIn, OptionalLong.of(losses));
    }
}
