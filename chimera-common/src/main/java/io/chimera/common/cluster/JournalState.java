package io.chimera.common.cluster;

/**
 * Facts about the journal of a queue node that outlive the node: its registration in the cluster keeps them.
 *
 * @param id identity of the journal's folder, new with each empty folder; 0 from releases without this value
 * @param isReturning whether an earlier start with this folder was registered
 * @param copied number of losses of the journal group, see {@link JournalLosses}, when other journals of the group held
 *     all records of this one; {@link #NOT_COPIED} before that
 */
public record JournalState(long id, boolean isReturning, long copied) {
    /** Value of {@link #copied} for a journal that may hold the only copy of a record. */
    public static final long NOT_COPIED = -1;

    /** State of a journal without an identity. */
    public static final JournalState NONE = new JournalState(0, false, NOT_COPIED);

    /** Creates the state of a journal that is not copied. */
    public JournalState(long id, boolean isReturning) {
        this(id, isReturning, NOT_COPIED);
    }

    /** Returns a copy after the given number of losses. */
    public JournalState copiedAfter(long losses) {
        return new JournalState(id, isReturning, losses);
    }
}
