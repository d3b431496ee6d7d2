package io.chimera.queue.journal;

/** Identity of a journal, which lasts as long as its records. Any thread. */
public interface JournalIdentity {
    /** Random number above 0, chosen with the empty journal. */
    long id();

    /** Returns whether a start with this journal was registered in the cluster. */
    boolean isRegistered();

    /** Notes, at some time after the return, that this start is registered in the cluster. Later calls do nothing. */
    void noteRegistered();
}
