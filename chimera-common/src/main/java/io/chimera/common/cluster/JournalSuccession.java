package io.chimera.common.cluster;

/** Relation of the journal of a starting queue node to the journal that the registration of the node names. */
public enum JournalSuccession {
    /** The same journal: a restart. */
    SAME,

    /**
     * The same folder after a loss of records, or a folder that was registered before and whose registration names no
     * journal, as after a recovery: the cluster loses the earlier journal.
     */
    DAMAGED,

    /** A folder without a note of a registration: a new folder, or a folder whose note is lost. */
    NEW,

    /** A folder from before the registered one: it must not return, because the node has run with another one since. */
    OUTDATED;

    /**
     * Returns the relation of a journal to a registered one.
     *
     * @param self state of the journal of the starting node
     * @param registered state of the journal in the registration
     */
    public static JournalSuccession of(JournalState self, JournalState registered) {
        if (self.id() == registered.id()) {
            return SAME;
        }
        if (self.hasReplaced(registered.id())) {
            return DAMAGED;
        }
        if (registered.id() == 0) {
            return self.isReturning() ? DAMAGED : NEW;
        }
        return self.registeredIn().isPresent() ? OUTDATED : NEW;
    }

    /** Returns whether the cluster loses the registered journal when the starting node is announced. */
    public boolean isLoss() {
        return this != SAME;
    }

    /**
     * Returns whether the registered journal may have the only copy of a point that the starting node does not have:
     * the registration has no present proof of copies, or a registered node of the group, whose journal may be that
     * copy, is not live or leaves.
     *
     * @param self the starting node
     * @param registered state of the journal in the registration
     * @param losses present number of losses of the group of the node, see {@link JournalLosses}
     * @param view connected view of all groups
     */
    public boolean mayEndOnlyCopy(QueueMember self, JournalState registered, long losses, ClusterView view) {
        boolean isProven = registered.copied().isPresent()
                && registered.copied().getAsLong() == losses
                && view.journals().isCopied(self.id(), self.group());
        return this == NEW && !(isProven && areOthersLive(self, view.in(self.group())));
    }

    private static boolean areOthersLive(QueueMember self, ClusterView group) {
        return group.roster().ids().stream().filter(id -> !id.equals(self.id())).allMatch(id -> group.queues().stream()
                .anyMatch(member -> member.id().equals(id) && !member.leaving()));
    }
}
