package io.chimera.queue.journal;

import java.util.List;
import java.util.Optional;

/** Identity of a journal, which lasts as long as all of its records. Any thread. */
public interface JournalIdentity {
    /** Random number above 0, chosen with the empty journal, and again after a loss of records. */
    long id();

    /** Returns the earlier ids of this journal that the cluster may still know; empty once it knows the present id. */
    List<Long> replaced();

    /**
     * Returns the history of the tree that registered a start with this journal last, see {@link
     * io.chimera.common.cluster.LowMark#history}; empty before the first registration.
     */
    Optional<String> registeredIn();

    /**
     * Returns whether a note says that the registration of this journal has no proof of copies, so that the journal may
     * hold the only copy of a record. True from the begin of the note's write until the end of the note is durable.
     * False in a new folder: the registration of an earlier folder may have a proof.
     */
    boolean isUnproven();

    /**
     * Notes that this start is registered in a tree. The note is durable at some time after the return, for which
     * further calls are required. A call for a durable note does nothing.
     *
     * @param history history of the tree
     * @param isUnproven whether this start writes no proof of copies. A start that writes one calls with false, and
     *     waits until {@link #isUnproven} is false
     */
    void noteRegistered(String history, boolean isUnproven);

    /**
     * Requests the end of the note of {@link #isUnproven}. The write is asynchronous and may fail: repeat the call
     * until {@link #isUnproven} is false. Same thread as {@link #noteRegistered}.
     */
    void endUnproven();
}
