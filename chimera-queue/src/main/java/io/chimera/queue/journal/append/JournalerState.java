package io.chimera.queue.journal.append;

/**
 * State of a {@link Journaler}.
 *
 * <pre>
 * from   event                                                 to
 * READY  the journal is full or its disk refuses a batch       FULL
 * FULL   the journal accepts a batch                           READY
 * READY  the JVM reports a failed page of a mapped file        BROKEN
 * FULL   the JVM reports a failed page of a mapped file        BROKEN
 * </pre>
 */
enum JournalerState {
    /** The last batch was accepted, or no batch was offered yet. */
    READY,
    /** The last batch was not accepted; the journaler retries. Waiting senders are refused after a time limit. */
    FULL,
    /** The disk failed, and the journaler appends nothing until the restart of the node. */
    BROKEN
}
